import { SaxesParser, type SaxesTagPlain } from 'saxes';
import { reasonOf } from '../../messages.ts';
import type { Archive } from './archive.ts';
import { damaged, WorkbookFault } from './cells.ts';

/** Sees the elements of a part in their order, by their names without a prefix. */
export interface XmlVisitor {
  open?(name: string, attributes: Readonly<Record<string, string>>): void;
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
  let depth = 0;
  let attributes = 0;
  parser.on('doctype', () => {
    throw damaged(`${part} has a document type`);
  });
  parser.on('error', error => {
    throw error;
  });
  parser.on('attribute', () => {
    attributes += 1;
    if (attributes > MAX_ATTRIBUTES)
      throw damaged(`${part} has an element with more than ${MAX_ATTRIBUTES} attributes`);
  });
  parser.on('opentag', tag => {
    attributes = 0;
    depth += 1;
    if (depth > MAX_DEPTH) throw damaged(`${part} is nested more than ${MAX_DEPTH} levels deep`);
    open?.(localName(tag.name), tag.attributes);
  });
  parser.on('closetag', ({ name }: SaxesTagPlain) => {
    depth -= 1;
    close?.(localName(name));
  });
  if (text) {
    parser.on('text', text);
    parser.on('cdata', text);
  }
  return parser;
}

/** Whether an attribute of the type `xsd:boolean` is true. */
export function isTrue(attribute: string | undefined): boolean {
  return attribute === '1' || attribute === 'true';
}

/** Only the prefix differs between programs. */
function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1);
}

/** UTF-8 or UTF-16, as XML parts of workbooks are (ECMA-376, part 2). */
function encodingOf(bytes: Buffer): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe') return 'utf-16le';
  return mark === 'feff' ? 'utf-16be' : 'utf-8';
}

function guard(part: string, parse: () => void): void {
  try {
    parse();
  } catch (error) {
    throw error instanceof WorkbookFault ? error : damaged(`${part}: ${reasonOf(error)}`);
  }
}
