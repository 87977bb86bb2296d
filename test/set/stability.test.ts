import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { type Random, seededRandom } from '../../scripts/bench/catalog/random.ts';
import { MARKDOWN_FILES } from '../../src/contract/catalog-files.ts';
import { bundle } from '../../src/formats/markdown/markdown.ts';
import { sha256 } from '../../src/set/files.ts';
import { type ChangedFiles, endsOf, STILL_MS, stillMsOf } from '../../src/set/stability.ts';

/** The files of one catalog: `news.csv` with an id at the beginning of each line, `news.json`, or Markdown by name. */
type Texts = Readonly<Record<string, string>>;

/** The ids of all rows, in the order of the files. */
function idsIn(texts: Texts): number[] {
  return Object.entries(texts).flatMap(([file, text]) => {
    if (file.endsWith('.csv')) return text.split(/\r?\n/).slice(1).filter(Boolean).map(Number.parseFloat);
    return file.endsWith('.md') ? Number.parseInt(file, 10) : (text.match(/\d+/g) ?? []).map(Number);
  });
}

/** The same files as they are read: all Markdown files are one. */
function read(texts: Texts) {
  const [markdown, others] = [true, false].map(isMarkdown =>
    Object.entries(texts)
      .filter(([name]) => name.endsWith('.md') === isMarkdown)
      .map(([name, text]) => ({ name, content: Buffer.from(text) })),
  );
  const files = (others ?? []).map(({ name, content }) => ({ file: name, content }));
  return markdown?.length ? [...files, { file: MARKDOWN_FILES, content: bundle(markdown) }] : files;
}

/** What differs between the served files and those that take their place. */
function changed(before: Texts, after: Texts, change: Partial<ChangedFiles> = {}): ChangedFiles {
  const [were, are] = [read(before), read(after)];
  const served = were
    .flatMap(endsOf)
    .map(({ file, bytes }) => ({ file, bytes, sha256: sha256(Buffer.from(before[file] ?? '')) }));
  const others = are.filter(({ file, content }) =>
    were.every(other => other.file !== file || !other.content.equals(content)),
  );
  const rows = {
    files: are.map(({ file }) => file),
    isGone: were.some(({ file }) => are.every(other => other.file !== file)),
    served: idsIn(before),
    next: idsIn(after),
  };
  return { ends: others.flatMap(endsOf), served, catalogs: [rows], isBeingWritten: false, ...change };
}

const csv = (...ids: (number | string)[]) => ({
  'news.csv': `id,title\n${ids.map(id => `${id},T\n`).join('')}`,
});
const json = (...ids: number[]) => ({ 'news.json': JSON.stringify(ids) });
const markdown = (...ids: number[]) => Object.fromEntries(ids.map(id => [`${id}.md`, '# T\n']));
const unfinished = ({ 'news.csv': text }: ReturnType<typeof csv>) => ({ 'news.csv': text.slice(0, -1) });

const cases: [what: string, before: Texts, after: Texts, waits: boolean, change?: Partial<ChangedFiles>][] = [
  ['a value changes', csv(1, 2, 3), csv(1, '2,new', 3), false],
  ['a value of the last row changes', csv(1, 2, 3), csv(1, 2, '3,new'), false],
  ['rows are added at the end', csv(1, 2, 3), csv(1, 2, 3, 4, 5), false],
  ['rows are added before others', csv(1, 2, 3), csv(8, 9, 1, 2, 3), false],
  ['all rows are sorted anew', csv(1, 2, 3), csv(3, 1, 2), false],
  ['rows are deleted before the last one', csv(1, 2, 3, 4), csv(1, 4), false],
  ['a row is deleted and another one added at the end', csv(1, 2, 3), csv(1, 3, '44,new'), false],
  ['the last row is deleted', csv(1, 2, 3), csv(1, 2), true],
  ['the last row is replaced', csv(1, 2, 3), csv(1, 2, '4,new'), true],
  ['the beginning is there', csv(1, 2, 3, 4), csv(1, 2), true],
  ['as many rows are there, new ones first', csv(1, 2, 3), csv(7, 8, '9,new'), true],
  ['more rows are there than before, and not all of those', csv(1, 2), csv(7, 8, 9, 1), true],
  ['only the headings are there', csv(1, 2), csv(), true],
  ['the file is empty', csv(1, 2), { 'news.csv': '' }, true],
  ['the last row is there, and others that were before it may follow', csv(1, 2, 3, 4), csv(4, 1), true],
  ['the last row is there between others of another order', csv(1, 2, 3, 4, 5), csv(3, 1, 5), true],
  ['rows are missing in a file of the same size', csv(1, 2, 3), csv(1, 7, 3), true],
  [
    'rows are missing from a file that was incomplete a moment ago',
    csv(1, 2, 3, 4),
    csv(1, 4),
    true,
    { isBeingWritten: true },
  ],
  [
    'all rows have come to a file that was incomplete a moment ago',
    csv(1, 2, 3),
    csv(1, 2, '3,new'),
    false,
    { isBeingWritten: true },
  ],
  ['the last line has no end', csv(1, 2, 3), unfinished(csv(1, 2, '3,new')), true],
  ['a line of a new file has no end', {}, unfinished(csv(1)), true],
  ['a file is new', {}, csv(1, 2), false],
  [
    'the rows that are served are not known any more',
    csv(1, 2),
    csv(1, '2,new'),
    true,
    { catalogs: [{ files: ['news.csv'], isGone: false, served: undefined, next: [1, 2] }] },
  ],
  ['a set has errors', csv(1, 2), csv(1), false, { catalogs: [] }],
  ['the file is gone', csv(1, 2), {}, true],
  ['the file is gone, and had no rows', csv(), {}, false],
  ['rows are missing from JSON', json(1, 2, 3), json(1, 2), false],
  ['JSON is not closed', json(1, 2, 3), { 'news.json': '[1, 2' }, true],
  ['JSON has all rows of a CSV file', csv(1, 2), json(1, 2), false],
  ['JSON lacks rows of a CSV file that is gone', csv(1, 2), json(1), true],
  ['CSV lacks rows of JSON that is gone', json(1, 2), csv(2), true],
  ['a workbook has no directory', {}, { 'news.xlsx': 'PK\x03\x04' }, true],
  ['a workbook has its directory', {}, { 'news.xlsx': `PK\x05\x06${'\0'.repeat(18)}` }, false],
  [
    'a workbook has its directory with a comment',
    {},
    { 'news.xlsx': `PK\x05\x06${'\0'.repeat(16)}\x02\0ab` },
    false,
  ],
  [
    'a workbook has a part of its directory',
    {},
    { 'news.xlsx': `PK\x05\x06${'\0'.repeat(16)}\x02\0a` },
    true,
  ],
  ['a Markdown file is new', markdown(1), markdown(1, 2), false],
  ['a Markdown file is gone', markdown(1, 2, 3), markdown(1, 3), true],
  ['all Markdown files are gone', markdown(1, 2), {}, true],
  [
    'a Markdown file is gone, beside JSON',
    { ...json(7), ...markdown(1, 2) },
    { ...json(7), ...markdown(1) },
    true,
  ],
  ['a Markdown file becomes longer', markdown(1, 2), { ...markdown(1), '2.md': '# T\n\nMore\n' }, false],
  ['a Markdown file becomes shorter', markdown(1, 2), { ...markdown(1), '2.md': '#\n' }, true],
  ['a line of a Markdown file has no end', markdown(1, 2), { ...markdown(1), '2.md': '# T\n\nMore' }, true],
  [
    'a Markdown file goes on growing',
    markdown(1),
    { '1.md': '# T\n\nMore\n' },
    true,
    { isBeingWritten: true },
  ],
  [
    'another file than one without a line end changes',
    { ...unfinished(csv(7)), ...markdown(1) },
    { ...unfinished(csv(7)), ...markdown(1, 2) },
    false,
  ],
];

test('a set must lie still if somebody may still be writing it, and is served at once otherwise', () => {
  for (const [what, before, after, waits, change] of cases)
    assert.equal(stillMsOf(changed(before, after, change)), waits ? STILL_MS : 0, what);
});

/** A file of prices, a line each: id, product, configuration, duration, price. */
const prices = readFileSync(new URL('../../data/catalog/prices.csv', import.meta.url), 'utf8');
const [headings = '', ...lines] = prices.trimEnd().split('\n');
const fileOf = (rows: readonly string[]) => ({ 'news.csv': `${[headings, ...rows].join('\n')}\n` });

/** Gives a price a new value, of a length that often differs. */
function priced(line: string, random: Random): string {
  const value = (random() * 10 ** Math.floor(random() * 4)).toFixed(Math.floor(random() * 3));
  return line.replace(/[^,]*$/, value);
}
const some = (rows: readonly string[], random: Random) => Math.floor(random() * rows.length);

const saves: [what: string, mostWait: number, edit: (rows: string[], random: Random) => string[]][] = [
  [
    'changed prices',
    0,
    (rows, random) => {
      for (let count = 1 + random() * 20; count > 0; count -= 1) {
        const at = some(rows, random);
        rows[at] = priced(rows[at] ?? '', random);
      }
      return rows;
    },
  ],
  [
    'added rows',
    0,
    (rows, random) => {
      for (let id = 1001; id < 1001 + random() * 5; id += 1)
        rows.splice(some(rows, random), 0, `${id},1,1,1,1`);
      return rows;
    },
  ],
  ['rows in another order', 0, (rows, random) => rows.toSorted(() => random() - 0.5)],
  [
    'one to three deleted rows',
    0.02,
    (rows, random) => {
      for (let count = 1 + Math.floor(random() * 3); count > 0; count -= 1)
        rows.splice(some(rows, random), 1);
      return rows;
    },
  ],
];

test('of 4,000 simulated saves of prices, few must lie still', () => {
  const random = seededRandom(1);
  for (const [what, mostWait, edit] of saves) {
    const edited = Array.from({ length: 1000 }, () => fileOf(edit([...lines], random)));
    const waits = edited.filter(after => stillMsOf(changed(fileOf(lines), after)) > 0).length;
    assert.ok(waits <= mostWait * 1000, `${what}: ${waits}`);
  }
});

test('every beginning of a file that lacks rows must lie still, sorted anew or written over the old one', () => {
  const random = seededRandom(2);
  const before = fileOf(lines);
  for (const [what, , edit] of saves) {
    const after = edit([...lines], random);
    const left = new Set(idsIn(fileOf(after)));
    const wanted = idsIn(before).filter(id => left.has(id));
    for (let count = 1; count < after.length; count += 1) {
      const beginning = fileOf(after.slice(0, count))['news.csv'];
      for (const text of [beginning, beginning + before['news.csv'].slice(beginning.length)]) {
        const present = new Set(idsIn({ 'news.csv': text }));
        if (wanted.every(id => present.has(id))) continue;
        assert.ok(stillMsOf(changed(before, { 'news.csv': text })) > 0, `${what}: ${count} rows`);
      }
    }
  }
});
