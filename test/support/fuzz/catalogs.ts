import assert from 'node:assert/strict';
import { isUtf8 } from 'node:buffer';
import { rm } from 'node:fs/promises';
import { basename, join } from 'node:path';
import iconv from 'iconv-lite';
import type { Random } from '../../../scripts/bench/catalog/random.ts';
import { catalogFiles } from '../../../src/contract/catalog-files.ts';
import { formatProblem, isError, type SourceLocation } from '../../../src/contract/problems.ts';
import type { CatalogSource, SetReport } from '../../../src/reader/read-set.ts';
import { settingsFrom } from '../../../src/settings/read.ts';
import { faults } from '../catalog/faults/faults.ts';
import { readSource } from '../catalog/read-source.ts';
import { type Files, sample, shop, shopWith } from '../catalogs.ts';
import { type Case, namedCases, readCase, type Target, utf8, writeCase } from './fuzz.ts';
import { mutate, pick, words } from './mutate.ts';

/** How long a set of at most a megabyte may take, in ms of the processor: a hundred times what it does take. */
const MAX_MS = 20_000;
/** No message is longer, in characters. */
const MAX_MESSAGE = 500;
/** What a terminal, a log or a page may not be given: controls, line ends, changes of direction, halves of characters. */
const UNPRINTABLE = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\p{Bidi_Control}]/u;
/** The file of a case that names the `CSV_ENCODING` it is read with. */
const ENCODING = 'CSV_ENCODING';

const tokens = words(String.raw`
  \" \"\" ' , ; \t | \n \r \r\n \u0000 \u001a \u001b[2J \u0020 [ ] { } : [{ }, \"id\": \"img\":\" null true yes
  \\u0000 \\ud800 \\ sep=;\r\n __proto__ id price product_id create_time publish_time hidden rel_type unit month
  0,5 = 2024-02-30 2024-03-31T02:30:00 9999-12-31T23:59:59 <p> <a\u0020 <!-- & &amp; &#x110000; #REF!
  ---\n # * _ ~~ &#96; ![ ]( ]: > - 1. &lt; <script> [a]: javascript: !!binary & * title:\u0020 content_format:\u0020
  <!DOCTYPE\u0020html> <<<<<<<\u0020HEAD\n PK\u0003\u0004 \u00d0\u00cf\u0011\u00e0 \u00ff \u00fe\u00ff \u00ed\u00a0\u0080
`).concat(
  words(String.raw`\uFEFF \uFFFD \uFDFA \u0301\u0323 \u202E \u2028 \u0085 \u009B 香港 😀 İ ß`).map(utf8),
);

const whole = caseOf(shop);
const seeds = [shop, filesOf(readCase(sample.catalogDir)), ...faults.map(([files]) => files)]
  .map(caseOf)
  .concat(namedCases('catalogs').map(([, item]) => item))
  .filter(item => Object.keys(item).length > 0 && Object.values(item).every(({ length }) => length < 1e5));
const material = { others: seeds.flatMap(item => Object.values(item)), tokens, maxLength: 2 ** 21 };

/** Sets, each in a folder of its own below `scratch`. */
export function openCatalogs(scratch: string): Target {
  let read = 0;
  return {
    name: 'catalogs',
    draw,
    async run(item) {
      read += 1;
      const catalogDir = join(scratch, String(read));
      const files = caseOf(shopWith(filesOf(item)));
      writeCase(catalogDir, files);
      const csvEncoding = (item[ENCODING] ?? 'utf-8') as CatalogSource['csvEncoding'];
      const source = settingsFrom({ catalogDir, imagesDir: catalogDir, maxFileMb: 1, csvEncoding });
      const before = process.cpuUsage();
      const { report } = await readSource(source);
      const { user, system } = process.cpuUsage(before);
      assert.ok(user + system < MAX_MS * 1000, 'a set takes long');
      checkReport(report, files, source);
      await rm(catalogDir, { recursive: true });
      return [report.version ? 'loaded' : 'refused', ...new Set(report.problems.map(({ code }) => code))];
    },
  };
}

/** A set of which one file is mutated. Half of the sets begin without a fault. */
function draw(random: Random): Case {
  const item = random() < 0.5 ? whole : pick(seeds, random);
  const file = pick(Object.keys(item), random);
  const text = mutate(item[file] ?? '', random, material);
  const name = random() < 0.03 ? file.replace(/csv$|json$/, end => (end === 'csv' ? 'json' : 'csv')) : file;
  const { [file]: _, ...others } = item;
  const drawn = { ...others, [name]: random() < 0.1 ? reencoded(text, random) : text };
  if (random() < 0.9) return drawn;
  return { ...drawn, [ENCODING]: pick(['windows-1252', 'gb18030', 'shift_jis'], random) };
}

function reencoded(text: string, random: Random): string {
  const encoding = pick(['utf16le', 'utf16be', 'gb18030', 'windows-1252', 'utf8'], random);
  const decoded = Buffer.from(text, 'latin1').toString();
  return iconv.encode(decoded, encoding, { addBOM: random() < 0.8 }).toString('latin1');
}

/** Rows as the JSON that `writeFiles` makes of them, and all else as bytes; a file to be left out is not there. */
function caseOf(files: Files): Case {
  const texts = Object.entries(files).flatMap(([name, content]): [string, string][] => {
    if (content === null) return [];
    if (Buffer.isBuffer(content)) return [[name, content.toString('latin1')]];
    return [[name, utf8(typeof content === 'string' ? content : JSON.stringify(content, null, 2))]];
  });
  return Object.fromEntries(texts);
}

function filesOf(item: Case): Files {
  return Object.fromEntries(Object.entries(item).map(([name, text]) => [name, Buffer.from(text, 'latin1')]));
}

/**
 * Asserts what holds of the report of any set: it has a version or an error, every problem is in a catalog file and within
 * its text, and every message is printable and short.
 */
function checkReport(report: SetReport, files: Case, { catalogDir, csvEncoding }: CatalogSource): void {
  const isRefused = report.version === undefined;
  assert.equal(report.errors > 0, isRefused, 'a set has both a version and an error, or neither');
  assert.equal(report.problems.some(isError), isRefused, 'the errors of a set are not told');
  const known = catalogFiles.map(({ file }): string => file);
  const names = new Set([catalogDir, basename(catalogDir), ...known, ...Object.keys(files)]);
  for (const problem of report.problems) {
    const line = formatProblem(problem);
    for (const place of [problem, ...(problem.also ? [problem.also] : [])]) {
      assert.ok(names.has(place.file), `a problem is in no file: ${line}`);
      assert.ok(isWithin(place, files, csvEncoding), `a place is outside its text: ${line}`);
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
