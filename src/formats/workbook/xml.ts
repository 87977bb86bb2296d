import { TextDecoder } from 'node:util';
import { SaxesParser } from 'saxes';
import type { Archive } from './archive.ts';
import { damaged, failIn } from './stored-cells.ts';

export type Attributes = Readonly<Record<string, string>>;

/**
 * Is called for the elements of a part in document order. Whatever prefixes the file uses, names of elements and attributes
 * begin with those of {@link PREFIXES}. Elements below `extLst` are left out.
 */
export interface XmlVisitor {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** More than twice as deep as the elements of workbooks. */
const MAX_DEPTH = 64;
/** Elements of workbooks have at most about fifty, to declare namespaces. */
const MAX_ATTRIBUTES = 256;

/** Parses a part. @throws WorkbookFault if it is missing, is not well-formed, or has a document type, as no workbook does. */
export async function readXml(archive: Archive, part: string, visitor: XmlVisitor): Promise<void> {
  const parser = openParser(part, visitor);
  let decoder: TextDecoder | undefined;
  try {
    for await (const bytes of archive.read(part)) {
      decoder ??= new TextDecoder(encodingOf(bytes), { fatal: true });
      parser.write(decodePiece(part, decoder, bytes));
    }
    parser.write(decoder ? decodePiece(part, decoder) : '').close();
  } catch (error) {
    failIn(part, error);
  }
}

/** Decodes a piece of a part, or without one, the end. */
function decodePiece(part: string, decoder: TextDecoder, bytes?: Buffer): string {
  try {
    return decoder.decode(bytes, { stream: bytes !== undefined });
  } catch {
    // The decoder's message depends on the version of Node.js.
    throw damaged(`${part} is not in ${decoder.encoding}`);
  }
}

function openParser(part: string, { open, text, close }: XmlVisitor) {
  // The parser could resolve namespaces itself, but then takes three times the CPU time.
  const parser = new SaxesParser({ xmlns: false, position: false });
  /** The prefixes around each open element, outermost first. */
  const scopes: Prefixes[] = [];
  let prefixes: Prefixes = new Map();
  /** The element that begins: its number of attributes, whether one has a prefix, and whether it declares prefixes. */
  let [attributes, hasPrefixes, declares] = [0, false, false];
  /** The depth of the `extLst` whose content is left out; 0 if there is none. */
  let extension = 0;
  parser.on('doctype', () => {
    throw damaged(`${part} has a document type`);
  });
  parser.on('error', error => {
    throw error;
  });
  parser.on('attribute', ({ name }) => {
    attributes += 1;
    hasPrefixes ||= name.includes(':');
    declares ||= name.startsWith('xmlns');
    if (attributes > MAX_ATTRIBUTES)
      throw damaged(`${part} has an element with more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', tag => {
    const depth = scopes.push(prefixes);
    if (depth > MAX_DEPTH) throw damaged(`${part} is nested more than ${MAX_DEPTH} levels deep`);
    if (declares) prefixes = prefixesIn(prefixes, tag.attributes);
    const named = hasPrefixes ? attributesIn(prefixes, tag.attributes) : tag.attributes;
    [attributes, hasPrefixes, declares] = [0, false, false];
    if (extension > 0) return;
    const name = qualifiedName(prefixes, tag.name);
    if (name === 'extLst') extension = depth;
    open?.(name, named);
  });
  parser.on('closetag', tag => {
    if (extension === scopes.length) extension = 0;
    if (extension === 0) close?.(qualifiedName(prefixes, tag.name));
    prefixes = scopes.pop() ?? prefixes;
  });
  const onText = (piece: string) => {
    if (extension === 0) text?.(piece);
  };
  if (text) {
    parser.on('text', onText);
    parser.on('cdata', onText);
  }
  return parser;
}

const OPEN_DOCUMENT = 'urn:oasis:names:tc:opendocument:xmlns:';

/** The prefixes for the namespaces of OpenDocument, ECMA-376 (transitional and strict) and LibreOffice. */
const PREFIXES: Readonly<Record<string, string>> = {
  '': '',
  ...Object.fromEntries(
    ['office', 'table', 'text', 'style', 'manifest'].map(name => [`${OPEN_DOCUMENT}${name}:1.0`, `${name}:`]),
  ),
  [`${OPEN_DOCUMENT}datastyle:1.0`]: 'number:',
  'urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0': 'calcext:',
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main': '',
  'http://purl.oclc.org/ooxml/spreadsheetml/main': '',
  'http://schemas.openxmlformats.org/package/2006/relationships': '',
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r:',
  'http://purl.oclc.org/ooxml/officeDocument/relationships': 'r:',
};

type Prefixes = ReadonlyMap<string, string>;

/** Adds the prefixes that an element declares. Names in unknown namespaces get a prefix that nothing matches. */
function prefixesIn(outer: Prefixes, attributes: Attributes): Prefixes {
  const prefixes = new Map(outer);
  for (const [key, namespace] of Object.entries(attributes))
    if (key === 'xmlns' || key.startsWith('xmlns:'))
      prefixes.set(key.slice(6), PREFIXES[namespace] ?? 'other:');
  return prefixes;
}

/** Replaces the prefix of a name, unless it is not declared. */
function qualifiedName(prefixes: Prefixes, name: string): string {
  const colon = name.indexOf(':');
  const prefix = prefixes.get(name.slice(0, Math.max(0, colon)));
  return prefix === undefined ? name : prefix + name.slice(colon + 1);
}

/** Attributes without a prefix have no namespace. */
function attributesIn(prefixes: Prefixes, attributes: Attributes): Attributes {
  const named: Record<string, string> = {};
  for (const [key, value] of Object.entries(attributes))
    named[key.includes(':') ? qualifiedName(prefixes, key) : key] = value;
  return named;
}

/** Whether an attribute of the type `xsd:boolean` is true. */
export function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}

/** Detects UTF-8 and UTF-16, the encodings of XML parts (ECMA-376, part 2). */
function encodingOf(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === '3c00') return 'utf-16le';
  return mark === 'feff' || mark === '003c' ? 'utf-16be' : 'utf-8';
}
