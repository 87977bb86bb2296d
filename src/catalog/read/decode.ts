import { isUtf8 } from 'node:buffer';
import type { Reporter, SourceLocation } from '../problems/problems.ts';

/** The text of a file, with a way to locate offsets in it (UTF-16 units). It does not include a byte order mark. */
export interface SourceText {
  file: string;
  encoding: string;
  text: string;
  locate(offset: number): SourceLocation;
}

/**
 * Decodes a file strictly: as UTF-16 if it has that byte order mark, else as UTF-8, else as the `fallback`. Encodings are
 * never guessed, since any bytes are valid in many of them. Returns undefined, and reports the first invalid byte, if
 * the file is in none of these.
 */
export function decode(
  file: string,
  bytes: Buffer,
  fallback: string,
  report: Reporter,
): SourceText | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16) return decodeAs(utf16, file, bytes, report);
  if (isUtf8(bytes)) return sourceText(file, withoutMark(bytes.toString('utf8')));
  if (fallback !== 'utf-8') return decodeAs(fallback, file, bytes, report);
  const { text, index, byte } = firstInvalidByte(bytes);
  const remedy = file.endsWith('.csv')
    ? 'save the file as "CSV UTF-8", or ask your administrator to set CSV_ENCODING'
    : 'save the file as UTF-8';
  const message = `this character is not in UTF-8 (byte 0x${byte}): ${remedy}`;
  report(sourceText(file, text).locate(index), 'BAD_ENCODING', message);
  return undefined;
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

function decodeAs(encoding: string, file: string, bytes: Buffer, report: Reporter): SourceText | undefined {
  try {
    return sourceText(file, withoutMark(textIn(encoding, bytes, true)), encoding);
  } catch {
    const text = withoutMark(textIn(encoding, bytes, false));
    const location = sourceText(file, text).locate(text.indexOf('\uFFFD'));
    report(location, 'BAD_ENCODING', `this character is not in ${encoding}: save the file as UTF-8`);
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

/** The first byte that is not UTF-8, its index in the text, and the text with U+FFFD for invalid bytes. */
function firstInvalidByte(bytes: Buffer): { text: string; index: number; byte: string } {
  const start = validLength(bytes);
  const text = withoutMark(bytes.toString('utf8'));
  const before = withoutMark(bytes.toString('utf8', 0, start));
  const byte = bytes.toString('hex', start, start + 1).toUpperCase();
  return { text, index: before.length, byte };
}

/** A character that is cut off leaves at most this many bytes. */
const MAX_REST = 3;

/** The number of leading bytes that are UTF-8, by binary search. */
function validLength(bytes: Buffer): number {
  const wholeCharacters = (length: number) =>
    Array.from({ length: MAX_REST + 1 }, (_, rest) => length - rest).find(
      end => end >= 0 && isUtf8(bytes.subarray(0, end)),
    );
  let valid = 0;
  let wrong = bytes.length + 1;
  while (wrong - valid > 1) {
    const middle = (valid + wrong) >> 1;
    if (wholeCharacters(middle) === undefined) wrong = middle;
    else valid = middle;
  }
  return wholeCharacters(valid) ?? 0;
}
