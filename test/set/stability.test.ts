import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MARKDOWN_FILES } from '../../src/contract/catalog-files.ts';
import { bundle } from '../../src/formats/markdown/bundle.ts';
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
  ['rows are added before others', csv(1, 2, 3), csv(8, 9, 1, 2, 3), false],
  ['all rows are sorted anew', csv(1, 2, 3), csv(3, 1, 2), false],
  ['rows are deleted before the last one', csv(1, 2, 3, 4), csv(1, 4), false],
  ['the last row is deleted', csv(1, 2, 3), csv(1, 2), true],
  ['the file is empty', csv(1, 2), { 'news.csv': '' }, true],
  ['the last row is there, and others that were before it may follow', csv(1, 2, 3, 4), csv(4, 1), true],
  ['rows are missing in a file of the same size', csv(1, 2, 3), csv(1, 7, 3), true],
  ['rows lack, as a moment ago', csv(1, 2, 3, 4), csv(1, 4), true, { isBeingWritten: true }],
  ['rows lacked a moment ago', csv(1, 2, 3), csv(1, 2, '3,new'), false, { isBeingWritten: true }],
  ['the last line has no end', csv(1, 2, 3), unfinished(csv(1, 2, '3,new')), true],
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
  ['a workbook has a comment', {}, { 'news.xlsx': `PK\x05\x06${'\0'.repeat(16)}\x02\0ab` }, false],
  ['a workbook has half a comment', {}, { 'news.xlsx': `PK\x05\x06${'\0'.repeat(16)}\x02\0a` }, true],
  ['a Markdown file is new', markdown(1), markdown(1, 2), false],
  ['a Markdown file is gone', markdown(1, 2, 3), markdown(1, 3), true],
  ['a Markdown file becomes longer', markdown(1, 2), { ...markdown(1), '2.md': '# T\n\nMore\n' }, false],
  ['a Markdown file becomes shorter', markdown(1, 2), { ...markdown(1), '2.md': '#\n' }, true],
  ['a line of a Markdown file has no end', markdown(1, 2), { ...markdown(1), '2.md': '# T\n\nMore' }, true],
  ['a Markdown file grows on', markdown(1), { '1.md': '# T\n\nMore\n' }, true, { isBeingWritten: true }],
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

test('a line ends with CR or LF, also in UTF-16', () => {
  const isProper = (content: Buffer) => endsOf({ file: 'news.csv', content }).every(end => end.isProper);
  for (const end of ['\n', '\r', '\r\n']) {
    assert.ok(isProper(Buffer.from(`id${end}`)));
    assert.ok(isProper(Buffer.from(`\uFEFFid${end}`, 'utf16le')));
  }
  assert.ok(!isProper(Buffer.from('\uFEFFid', 'utf16le')));
});
