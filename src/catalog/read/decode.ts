import { isUtf8 } from 'node:buffer';
import type { Reporter, SourceLocation } from '../../contract/problems.ts';
import { examineUtf8, unicodeFormat } from './utf8.ts';

/** The text of a file, with a way to locate offsets in it (UTF-16 units). It does not include a byte order mark. */
export interface SourceText {
  file: string;
  encoding: string;
  text: string;
  locate(offset: number): SourceLocation;
  /** The lines of ascending offsets, in one pass over the text. */
  linesOf(offsets: readonly number[]): Uint32Array;
}

/** Locates an offset in a text that may be damaged from there on. */
type Locate = (source: SourceText, offset: number) => SourceLocation;

/**
 * Decodes a file strictly: as UTF-16 if it has that byte order mark, else as UTF-8, else as the `fallback`, unless it is
 * UTF-8 with some damage. Encodings are never guessed, since any bytes are valid in many of them. Returns undefined, and
 * reports the first invalid byte, if the file is in none of these.
 */
export function decode(
  file: string,
  bytes: Buffer,
  fallback: string,
  report: Reporter,
  locate: Locate = (source, offset) => source.locate(offset),
): SourceText | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16) return decodeAs(utf16, file, bytes, report, locate);
  if (isUtf8(bytes)) return sourceText(file, withoutMark(bytes.toString('utf8')));
  const { isDamage, firstInvalid } = examineUtf8(bytes);
  if (!isDamage && fallback !== 'utf-8') return decodeAs(fallback, file, bytes, report, locate);
  const before = withoutMark(bytes.toString('utf8', 0, firstInvalid));
  const location = locate(sourceText(file, before), before.length);
  report(location, 'BAD_ENCODING', isDamage ? damagedCharacter(file) : oldEncoding(file));
  return undefined;
}

function damagedCharacter(file: string): string {
  return `a damaged character: type it again, then save the file as ${unicodeFormat(file)}`;
}

function oldEncoding(file: string): string {
  const orElse = file.endsWith('.csv') ? ', or ask your administrator to set CSV_ENCODING' : '';
  return `characters in an old encoding (probably Windows): save the file as ${unicodeFormat(file)}${orElse}`;
}

export function sourceText(file: string, text: string, encoding = 'utf-8'): SourceText {
  let blocks: Position[] | undefined;
  return {
    file,
    encoding,
    text,
    locate(offset) {
      blocks ??= blockStarts(text);
      const block = Math.floor(offset / BLOCK_LENGTH);
      const start = blocks[block] ?? TEXT_START;
      return { file, ...advance(text, start, block * BLOCK_LENGTH, offset) };
    },
    linesOf(offsets) {
      let [last, position] = [0, TEXT_START];
      return Uint32Array.from(offsets, offset => {
        position = advance(text, position, last, offset);
        last = offset;
        return position.line;
      });
    },
  };
}

/** Lines and columns count from 1, columns in characters (code points). */
interface Position {
  line: number;
  column: number;
}

const TEXT_START: Position = { line: 1, column: 1 };

/** In UTF-16 units. The position of each block's start is kept, so that `locate` scans one block at most. */
const BLOCK_LENGTH = 4096;

function blockStarts(text: string): Position[] {
  const starts = [TEXT_START];
  let last = TEXT_START;
  for (let end = BLOCK_LENGTH; end <= text.length; end += BLOCK_LENGTH) {
    last = advance(text, last, end - BLOCK_LENGTH, end);
    starts.push(last);
  }
  return starts;
}

const LF = 10;
const CR = 13;

/** The position of `to`, given that of `from`. Only CRLF, LF and CR end a line, not U+2028. */
function advance(text: string, { line, column }: Position, from: number, to: number): Position {
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) {
      line += 1;
      column = 1;
    } else if (!isLowSurrogate(text, at)) {
      column += 1;
    }
  }
  return { line, column };
}

/** Whether the unit is the second of a surrogate pair. */
function isLowSurrogate(text: string, at: number): boolean {
  const isSurrogate = (text.charCodeAt(at) & 0xfc00) === 0xdc00;
  return isSurrogate && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
}

function utf16Of(bytes: Buffer): string | undefined {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe') return 'utf-16le';
  return mark === 'feff' ? 'utf-16be' : undefined;
}

function decodeAs(
  encoding: string,
  file: string,
  bytes: Buffer,
  report: Reporter,
  locate: Locate,
): SourceText | undefined {
  try {
    return sourceText(file, withoutMark(textIn(encoding, bytes, true)), encoding);
  } catch {
    const text = withoutMark(textIn(encoding, bytes, false));
    const location = locate(sourceText(file, text), text.indexOf('\uFFFD'));
    const message = encoding.startsWith('utf-16')
      ? damagedCharacter(file)
      : `this character is not in ${encoding}, the encoding that your administrator has set: save the file as "CSV UTF-8"`;
    report(location, 'BAD_ENCODING', message);
    return undefined;
  }
}

/** The characters 0x80 to 0x9F of windows-1252. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Node 20 decodes windows-1252 as ISO 8859-1, so that this does it itself. @throws TypeError if `strict`. */
function textIn(encoding: string, bytes: Buffer, strict: boolean): string {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding, { fatal: strict }).decode(bytes);
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, control => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}
