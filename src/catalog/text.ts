import { isUtf8 } from 'node:buffer';
import type { Place, Report } from './problems.ts';

/** A file's text, with the way back from an offset in it (UTF-16 units) to a place. */
export interface SourceText {
  file: string;
  /** What it was written in. */
  encoding: string;
  text: string;
  place(offset: number): Place;
}

/**
 * Decodes a file: UTF-8 and, by their byte order marks, UTF-16LE and UTF-16BE, strictly; what is none of them in the
 * `fallback`, where that is another encoding. Returns undefined, with the first wrong byte reported, where it is
 * nothing of all that: encodings are never guessed. A byte order mark is no part of the text.
 */
export function decode(
  file: string,
  bytes: Buffer,
  fallback: string,
  report: Report,
): SourceText | undefined {
  const utf16 = utf16Of(bytes);
  if (utf16) return decodeAs(utf16, file, bytes, report);
  if (isUtf8(bytes)) return sourceText(file, withoutMark(bytes.toString('utf8')));
  if (fallback !== 'utf-8') return decodeAs(fallback, file, bytes, report);
  const wrong = firstWrongByte(bytes);
  const orElse = file.endsWith('.csv')
    ? ' (in Excel: "CSV UTF-8"), or set CSV_ENCODING to what it is in'
    : '';
  const message = `the byte 0x${wrong.byte} is no UTF-8: save the file as UTF-8${orElse}`;
  report(sourceText(file, wrong.text).place(wrong.index), 'BAD_ENCODING', message);
  return undefined;
}

/** `text` is without a byte order mark. */
export function sourceText(file: string, text: string, encoding = 'utf-8'): SourceText {
  let starts: number[] | undefined;
  return {
    file,
    encoding,
    text,
    place(offset) {
      starts ??= lineStarts(text);
      const line = lastAtMost(starts, offset);
      return { file, line: line + 1, column: [...text.slice(starts[line], offset)].length + 1 };
    },
  };
}

function utf16Of(bytes: Buffer): string | undefined {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe') return 'utf-16le';
  return mark === 'feff' ? 'utf-16be' : undefined;
}

function decodeAs(encoding: string, file: string, bytes: Buffer, report: Report): SourceText | undefined {
  try {
    return sourceText(file, withoutMark(textIn(encoding, bytes, true)), encoding);
  } catch {
    const text = withoutMark(textIn(encoding, bytes, false));
    const place = sourceText(file, text).place(text.indexOf('\uFFFD'));
    report(place, 'BAD_ENCODING', `this is no ${encoding}: save the file as UTF-8`);
    return undefined;
  }
}

/** What windows-1252 has from 0x80 to 0x9F. */
const WINDOWS_1252 = '€\x81‚ƒ„…†‡ˆ‰Š‹Œ\x8dŽ\x8f\x90‘’“”•–—˜™š›œ\x9džŸ';

/** By the platform's decoder, but for windows-1252, which Node 20 takes for ISO 8859-1. @throws where it is `strict`. */
function textIn(encoding: string, bytes: Buffer, strict: boolean): string {
  if (encoding !== 'windows-1252') return new TextDecoder(encoding, { fatal: strict }).decode(bytes);
  return bytes
    .toString('latin1')
    .replace(/[\x80-\x9f]/g, control => WINDOWS_1252[control.charCodeAt(0) - 0x80] ?? control);
}

function withoutMark(text: string): string {
  return text.startsWith('\uFEFF') ? text.slice(1) : text;
}

/** Where each line begins. Lines end with CRLF, LF or CR, and with nothing else (U+2028 ends none). */
function lineStarts(text: string): number[] {
  return [0, ...Array.from(text.matchAll(/\r\n|\n|\r/g), end => end.index + end[0].length)];
}

/** Index of the last of the ascending `numbers` that is at most `limit`. */
function lastAtMost(numbers: number[], limit: number): number {
  let low = 0;
  let high = numbers.length;
  while (high - low > 1) {
    const middle = (low + high) >> 1;
    if ((numbers[middle] ?? 0) <= limit) low = middle;
    else high = middle;
  }
  return low;
}

/**
 * The leniently decoded text, with the index in it of the first byte that is no UTF-8.
 * A U+FFFD which the file itself spells out (EF BF BD) is no fault.
 */
function firstWrongByte(bytes: Buffer): { text: string; index: number; byte: string } {
  const lenient = bytes.toString('utf8');
  let index = lenient.indexOf('\uFFFD');
  let at = Buffer.byteLength(lenient.slice(0, index));
  while (bytes.toString('hex', at, at + 3) === 'efbfbd') {
    const next = lenient.indexOf('\uFFFD', index + 1);
    at += Buffer.byteLength(lenient.slice(index, next));
    index = next;
  }
  const text = withoutMark(lenient);
  const byte = bytes.toString('hex', at, at + 1).toUpperCase();
  return { text, index: index - (lenient.length - text.length), byte };
}
