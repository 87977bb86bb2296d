import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { reasonOf } from '../../messages.ts';
import type { Archive } from './archive.ts';
import { damaged, WorkbookFault } from './cells.ts';

export type Attributes = Readonly<Record<string, string>>;

/**
 * Sees the elements of a part in their order. Names of elements and attributes begin with the prefix of {@link prefixOf},
 * whatever prefix the file has. Elements below `extLst` are left out.
 */
export interface XmlVisitor {
  open?(name: string, attributes: Attributes): void;
  text?(text: string): void;
  close?(name: string): void;
}

/** Elements of workbooks are nested less than half as deep. */
const MAX_DEPTH = 64;
/** Elements of workbooks have at most about fifty, those that name namespaces. */
const MAX_ATTRIBUTES = 256;

/**
 * Reads a part of a workbook, which never has a document type, and so no entities but those of XML. Calls `onBytes` with the
 * number of bytes of each piece.
 * @throws WorkbookFault if the part is missing or not well-formed.
 */
export async function readXml(
  archive: Archive,
  part: string,
  visitor: XmlVisitor,
  onBytes: (bytes: number) => void = () => {},
): Promise<void> {
  const parser = openParser(part, visitor);
  let decode: ReturnType<typeof openDecoder> | undefined;
  for await (const bytes of archive.read(part)) {
    decode ??= openDecoder(part, encodingOf(bytes));
    const text = decode(bytes);
    guard(part, () => parser.write(text));
    onBytes(bytes.length);
  }
  const rest = decode?.() ?? '';
  guard(part, () => parser.write(rest).close());
}

/** Decodes the pieces of a part, and without one, its end. */
function openDecoder(part: string, encoding: string): (bytes?: Buffer) => string {
  const decoder = new TextDecoder(encoding, { fatal: true });
  return bytes => {
    try {
      return decoder.decode(bytes, { stream: bytes !== undefined });
    } catch {
      // Each engine has words of its own for this.
      throw damaged(`${part} is not in ${encoding}`);
    }
  };
}

function openParser(part: string, { open, text, close }: XmlVisitor) {
  const parser = new SaxesParser({ xmlns: false, position: false });
  const scope = openScope();
  let depth = 0;
  let attributes = 0;
  /** The depth of the element whose content is left out; 0 for none. */
  let extension = 0;
  parser.on('doctype', () => {
    throw damaged(`${part} has a document type`);
  });
  parser.on('error', error => {
    throw error;
  });
  parser.on('attribute', ({ name, value }) => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES)
      throw damaged(`${part} has an element with more than ${MAX_ATTRIBUTES} attributes`);
    if (name.startsWith('xmlns')) scope.declare(depth + 1, name.slice(6), value);
  });
  parser.on('opentag', tag => {
    attributes = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw damaged(`${part} is nested more than ${MAX_DEPTH} levels deep`);
    if (extension > 0) return;
    const name = scope.nameOf(tag.name);
    if (name === 'extLst') extension = depth;
    open?.(name, scope.attributesOf(tag.attributes));
  });
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    if (extension === depth) extension = 0;
    if (extension === 0) close?.(scope.nameOf(name));
    scope.leave(depth);
    depth -= 1;
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

const OPEN_DOCUMENT = /^urn:oasis:names:tc:opendocument:xmlns:([a-z]+):1\.0$/;

/** The namespaces of ECMA-376, in its transitional and its strict form, and some of LibreOffice. */
const PREFIXES: Readonly<Record<string, string>> = {
  'http://schemas.openxmlformats.org/spreadsheetml/2006/main': '',
  'http://purl.oclc.org/ooxml/spreadsheetml/main': '',
  'http://schemas.openxmlformats.org/package/2006/relationships': '',
  'http://schemas.openxmlformats.org/officeDocument/2006/relationships': 'r:',
  'http://purl.oclc.org/ooxml/officeDocument/relationships': 'r:',
  'urn:oasis:names:tc:opendocument:xmlns:datastyle:1.0': 'number:',
  'urn:org:documentfoundation:names:experimental:calc:xmlns:calcext:1.0': 'calcext:',
};

/** The prefix of a namespace, such as `` for that of sheets and `table:`; undefined for one that workbooks do not need. */
function prefixOf(namespace: string): string | undefined {
  const [, name] = OPEN_DOCUMENT.exec(namespace) ?? [];
  return PREFIXES[namespace] ?? (name && `${name}:`);
}

/** Prefixes of the file that may be mistaken for those of {@link prefixOf}. */
const TAKEN = /^(?:|r|calcext|office|table|text|style|number|manifest)$/;

/** Knows what the prefixes of a part mean (Namespaces in XML 1.0). A prefix without a declaration stays as it is. */
function openScope() {
  /** The outermost first; each has all prefixes of those around it. */
  const levels: { depth: number; prefixes: Map<string, string>; renames: boolean }[] = [];
  const nameOf = (name: string) => {
    const colon = name.indexOf(':');
    const prefix = name.slice(0, Math.max(0, colon));
    const known = levels.at(-1)?.prefixes.get(prefix);
    return known === undefined ? name : known + name.slice(colon + 1);
  };
  return {
    nameOf,
    declare(depth: number, prefix: string, namespace: string) {
      if (levels.at(-1)?.depth !== depth) {
        const { prefixes, renames = false } = levels.at(-1) ?? {};
        levels.push({ depth, prefixes: new Map(prefixes), renames });
      }
      const level = levels.at(-1);
      const foreign = TAKEN.test(prefix) && namespace !== '' ? `not-${prefix}:` : prefix && `${prefix}:`;
      const known = prefixOf(namespace) ?? foreign;
      level?.prefixes.set(prefix, known);
      if (level && prefix !== '') level.renames ||= known !== `${prefix}:`;
    },
    /** Attributes without a prefix have no namespace. */
    attributesOf(attributes: Attributes) {
      if (!levels.at(-1)?.renames) return attributes;
      const renamed = Object.entries(attributes).map(([name, value]) =>
        name.includes(':') ? [nameOf(name), value] : [name, value],
      );
      return Object.fromEntries(renamed) as Attributes;
    },
    leave(depth: number) {
      if (levels.at(-1)?.depth === depth) levels.pop();
    },
  };
}

/** Whether an attribute of the type `xsd:boolean` is true. */
export function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}

/** UTF-8 or UTF-16, as XML parts of workbooks are (ECMA-376, part 2). */
function encodingOf(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe' || mark === '3c00') return 'utf-16le';
  return mark === 'feff' || mark === '003c' ? 'utf-16be' : 'utf-8';
}

function guard(part: string, parse: () => void): void {
  try {
    parse();
  } catch (error) {
    throw error instanceof WorkbookFault ? error : damaged(`${part}: ${reasonOf(error)}`);
  }
}
