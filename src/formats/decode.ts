import { isUtf8 } from 'node:buffer';
import { parse } from 'node:path';
import type { Reporter, SourceLocation } from '../contract/problems.ts';

/** The text of a file without its byte order mark. Offsets are in UTF-16 units. */
export interface SourceText {
  file: string;
  encoding: string;
  text: string;
  locate(offset: number): SourceLocation;
}

/**
 * Decodes a file strictly: as UTF-16 if it has that byte order mark, as UTF-8 if it is valid or only damaged UTF-8, or else
 * as the `fallback`. Encodings are never guessed, since any bytes are valid in many of them. If the text is invalid, reports
 * the first invalid character and returns undefined.
 */
export function decode(
  file: string,
  bytes: Buffer,
  fallback: string,
  report: Reporter,
  locate = (source: SourceText, offset: number) => source.locate(offset),
): SourceText | undefined {
  const unicode = utf16Marks.get(bytes.toString('hex', 0, 2)) ?? 'utf-8';
  const isOther = unicode === 'utf-8' && !isUtf8(bytes) && !isDamagedUtf8(bytes);
  const encoding = isOther ? fallback : unicode;
  try {
    return sourceText(file, textIn(encoding, bytes, true), encoding);
  } catch {
    const text = textIn(encoding, bytes, false);
    const location = locate(sourceText(file, text), text.indexOf('\uFFFD'));
    const damage = `a damaged character: type it again, then save the file as ${unicodeFormat(file)}`;
    report(location, 'BAD_ENCODING', isOther ? otherEncoding(file, encoding) : damage);
    return undefined;
  }
}

function otherEncoding(file: string, encoding: string): string {
  if (encoding !== 'utf-8')
    return `this character is not in ${encoding}, the encoding that your administrator has set: save the file as "CSV UTF-8"`;
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
  };
}

/** Lines and columns count from 1. A column is a character (code point). */
interface Position {
  line: number;
  column: number;
}

const TEXT_START: Position = { line: 1, column: 1 };

/** In UTF-16 units. The position of each block's start is cached, so that `locate` scans at most one block. */
const BLOCK_LENGTH = 1024;

function blockStarts(text: string): Position[] {
  const starts = [TEXT_START];
  let last = TEXT_START;
  for (let end = BLOCK_LENGTH; end <= text.length; end += BLOCK_LENGTH) {
    last = advance(text, last, end - BLOCK_LENGTH, end);
    starts.push(last);
  }
  return starts;
}

export const LF = 10;
export const CR = 13;

/** Returns the position of `to`, given that of `from`. Only CRLF, LF and CR end a line, not U+2028. */
function advance(text: string, { line, column }: Position, from: number, to: number): Position {
  for (let at = from; at < to; at += 1) {
    const unit = text.charCodeAt(at);
    const isSecondHalf = (unit & 0xfc00) === 0xdc00 && (text.charCodeAt(at - 1) & 0xfc00) === 0xd800;
    if (unit === LF || (unit === CR && text.charCodeAt(at + 1) !== LF)) {
      line += 1;
      column = 1;
    } else if (!isSecondHalf) {
      column += 1;
    }
  }
  return { line, column };
}

/** The byte order marks of UTF-16, in hexadecimal. */
const utf16Marks = new Map([
  ['fffe', 'utf-16le'],
  ['feff', 'utf-16be'],
]);

/** The characters for the bytes 0x80 to 0x9F in windows-1252. Five are undefined, and stay control characters. */
export const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** Decodes windows-1252 itself, since Node 20 treats it as ISO 8859-1. @throws TypeError for invalid bytes if `strict`. */
function textIn(encoding: string, bytes: Buffer, strict: boolean): string {
  if (encoding !== 'windows-1252')
    return new TextDecoder(encoding, { fatal: strict }).decode(bytes).replace(/^\uFEFF/, '');
  const text = bytes.toString('latin1');
  return text.replace(/[\x80-\x9f]/g, control => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}

/**
 * Whether bytes are UTF-8 with some damage: they begin with its byte order mark, or they have at least as many valid
 * multibyte characters as invalid bytes. Sentences in other encodings have two to ten times as many invalid bytes.
 */
function isDamagedUtf8(bytes: Buffer): boolean {
  if (bytes.toString('hex', 0, 3) === 'efbbbf') return true;
  const valid = bytes.toString('utf8').replaceAll('\uFFFD', '');
  const characters = valid.replace(/[\0-\x7f]+/g, '').length;
  return characters > 0 && characters >= bytes.length - Buffer.byteLength(valid);
}

function unicodeFormat(file: string): string {
  return file.endsWith('.csv') ? '"CSV UTF-8"' : 'UTF-8';
}

/** The first bytes of spreadsheet files in hexadecimal: xlsx and ods, then xls. */
const spreadsheetSignatures = ['504b0304', 'd0cf11e0'];

/** Whether a file is a renamed workbook. If so, reports it. */
export function isSpreadsheet(file: string, bytes: Buffer, report: Reporter): boolean {
  if (!spreadsheetSignatures.includes(bytes.toString('hex', 0, 4))) return false;
  const { name } = parse(file);
  const message = `this is a workbook with another name: open it in your spreadsheet program, and save it as an Excel workbook with the name ${name}.xlsx`;
  report({ file, line: 1, column: 1 }, 'WORKBOOK', message);
  return true;
}

/** Whether a text may be CSV, JSON or Markdown. If it is obviously something else, reports the first sign of that. */
export function isPlainText({ file, text, locate }: SourceText, report: Reporter): boolean {
  const page = webPage(text, /\.(?:md|markdown)$/.test(file) ? 'text' : 'table');
  const nul = text.indexOf('\0');
  const conflict = /^<{7} .*$/m.exec(text);
  if (LFS_POINTER.test(text)) {
    report(locate(0), 'LFS_POINTER', `this is ${POINTER}`);
  } else if (page) {
    report(locate(text.indexOf('<')), 'WEB_PAGE', page);
  } else if (nul !== -1) {
    const message = `this is not a text file, or it is damaged from here: save it again as ${unicodeFormat(file)}`;
    report(locate(nul), 'NUL_BYTE', message);
  } else if (conflict && /^={7}$/m.test(text) && /^>{7} /m.test(text)) {
    const message =
      'the changes of two people stand here side by side: keep one of the two versions, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>';
    report(locate(conflict.index), 'MERGE_CONFLICT', message);
  } else {
    return true;
  }
  return false;
}

/** The beginning of a file that Git LFS keeps elsewhere, and what to do about it. */
export const LFS_POINTER = /^version https:\/\/git-lfs\.github\.com\/spec\//;
export const POINTER = 'a pointer of Git LFS to the file: run "git lfs pull", or put the file itself here';

/** Says what to do if a text is a web page instead of what is expected. Returns undefined if it is not. */
export function webPage(text: string, expected: 'table' | 'text' | 'workbook'): string | undefined {
  if (!/^\s*<(?:!doctype|html|head|body|\?xml)\b/i.test(text)) return undefined;
  return `this is a web page, such as a login or error page, and not a ${expected}: sign in, and download the file again`;
}
