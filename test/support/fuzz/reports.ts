import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { basename } from 'node:path';
import { catalogFiles } from '../../../src/contract/catalog-files.ts';
import {
  formatLocation,
  formatProblem,
  isError,
  type SourceLocation,
} from '../../../src/contract/problems.ts';
import type { CatalogSource, SetReport } from '../../../src/reader/read-set.ts';
import type { Case } from './cases.ts';

/** No message is longer, in characters. */
const MAX_MESSAGE = 500;
/** What a terminal, a log or a page may not be given: controls, line ends, changes of direction, halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;

/**
 * Asserts what holds of the report of any set: it has a version or an error, every problem is in a catalog file and within
 * its text, and every message is printable and short.
 */
export function checkReport(
  report: SetReport,
  files: Case,
  { catalogDir, csvEncoding }: CatalogSource,
): void {
  const isRefused = report.version === undefined;
  assert.equal(report.errors > 0, isRefused, 'a set has both a version and an error, or neither');
  assert.equal(report.problems.some(isError), isRefused, 'the errors of a set are not told');
  const names = new Set<string>([
    catalogDir,
    basename(catalogDir),
    ...catalogFiles.map(({ file }) => file),
    ...Object.keys(files),
  ]);
  for (const problem of report.problems) {
    const line = formatProblem(problem);
    for (const place of [problem, ...(problem.also ? [problem.also] : [])]) {
      assert.ok(names.has(place.file), `a problem is in no file: ${line}`);
      assert.ok(
        isWithin(place, files, csvEncoding),
        `the place ${formatLocation(place)} is outside its text: ${line}`,
      );
    }
    assert.doesNotMatch(line.replace(catalogDir, ''), UNPRINTABLE, 'a message cannot be printed');
    assert.ok(problem.message.length <= MAX_MESSAGE, `a message is long: ${line.slice(0, 100)}`);
  }
}

/** Whether a place without a line is meant, or the text has this line, and up to its end this column. */
function isWithin({ file, line, column = 1 }: SourceLocation, files: Case, csvEncoding: string): boolean {
  if (line === undefined) return true;
  const bytes = Buffer.from(files[file] ?? '', 'latin1');
  // A place in UTF-8 that is damaged counts in UTF-8, one in another encoding in that.
  return [csvEncoding, 'utf-8'].some(encoding => {
    const found = textOf(file, bytes, encoding).split(/\r\n|\n|\r/)[line - 1];
    return found !== undefined && column >= 1 && column <= [...found].length + 1;
  });
}

/** The text of a file, without its byte order mark, as decoded by another program than the one that is tested. */
function textOf(file: string, bytes: Buffer, csvEncoding: string): string {
  const mark = bytes.toString('hex', 0, 2);
  if (mark === 'fffe') return new TextDecoder('utf-16le').decode(bytes);
  if (mark === 'feff') return new TextDecoder('utf-16be').decode(bytes);
  const isFallback = !isUtf8(bytes) && file.endsWith('.csv');
  return new TextDecoder(isFallback ? csvEncoding : 'utf-8').decode(bytes);
}
