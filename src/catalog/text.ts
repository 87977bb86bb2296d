import { isUtf8 } from 'node:buffer';
import type { Place, Report } from './problems.ts';

/** A file's text, with the way back from an offset in it (UTF-16 units) to a place. */
export interface SourceText {
  file: string;
  text: string;
  place(offset: number): Place;
}

/**
 * Decodes a file as strict UTF-8; a byte order mark at its start counts nothing.
 * Returns undefined, with the first wrong byte reported, where it is anything else: encodings are never guessed.
 */
export function decode(file: string, bytes: Buffer, report: Report): SourceText | undefined {
  const source = sourceText(file, bytes.toString('utf8').replace(/^\uFEFF/, ''));
  if (isUtf8(bytes)) return source;
  const wrong = firstWrongByte(bytes);
  const message = `the byte 0x${wrong.byte} is no UTF-8: save the file as UTF-8 (in Excel: "CSV UTF-8")`;
  report(source.place(wrong.index), 'BAD_ENCODING', message);
  return undefined;
}

/** `text` is without a byte order mark. */
export function sourceText(file: string, text: string): SourceText {
  let starts: number[] | undefined;
  return {
    file,
    text,
    place(offset) {
      starts ??= lineStarts(text);
      const line = lastAtMost(starts, offset);
      return { file, line: line + 1, column: [...text.slice(starts[line], offset)].length + 1 };
    },
  };
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
 * The first byte that is no UTF-8, and its index in the leniently decoded text without its byte order mark.
 * A U+FFFD which the file itself spells out (EF BF BD) is no fault.
 */
function firstWrongByte(bytes: Buffer): { index: number; byte: string } {
  const lenient = bytes.toString('utf8');
  let index = lenient.indexOf('\uFFFD');
  let at = Buffer.byteLength(lenient.slice(0, index));
  while (bytes.toString('hex', at, at + 3) === 'efbfbd') {
    const next = lenient.indexOf('\uFFFD', index + 1);
    at += Buffer.byteLength(lenient.slice(index, next));
    index = next;
  }
  const byte = bytes.toString('hex', at, at + 1).toUpperCase();
  return { index: index - (lenient.startsWith('\uFEFF') ? 1 : 0), byte };
}
