import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalogNames } from '../../src/contract/columns.ts';
import { readSet } from '../../src/reader/read-set.ts';
import { formerRow, type SetContent, walkChanges } from '../../src/set/compare/walk.ts';
import { memoryDirectory } from '../../src/set/directory.ts';
import { holdRules, openHoldBack } from '../../src/set/hold-back/hold-back.ts';
import { accidents } from '../support/catalog/accidents.ts';
import { type Edit, filesOf, shopToEdit } from '../support/catalog/edits.ts';
import { harmlessEdits } from '../support/catalog/harmless-edits.ts';
import { serveSet } from '../support/catalog/served-set.ts';
import { type Files, sourceIn } from '../support/catalogs.ts';

/** The rows of the set in some files, and its problems. The rows are undefined if it has errors. */
async function read(files: Files) {
  const contents = Object.entries(files).flatMap(([path, content]) =>
    content === null ? [] : [[path, bytesOf(content)] as const],
  );
  const { report, content } = await readSet(memoryDirectory('memory', new Map(contents)), sourceIn('memory'));
  return { set: content, codes: report.problems.map(({ code }) => code) };
}

function bytesOf(content: string | Buffer | object[]): Buffer {
  return Array.isArray(content) ? Buffer.from(JSON.stringify(content)) : Buffer.from(content);
}

/** What the rules say about a set that replaces another one, a sentence each. */
function holdsOf(before: SetContent, set: SetContent) {
  const now = Date.now() / 1000;
  const rules = openHoldBack({ set, now, cutOff: [], gone: catalog => `${catalog} is gone` });
  const former = catalogNames.map(name => {
    const content = before[name];
    return [name, content && { ...content, rows: content.rows.map(formerRow) }] as const;
  });
  walkChanges(new Map(former), set, [rules], now);
  return rules.reasons();
}

/** The codes of what an edit leads to: the problems that it brings, and the rules that hold it back. */
async function outcomeOf({ rows, files, before }: Edit) {
  const shop = shopToEdit();
  before?.(shop);
  const was = await read(filesOf(shop));
  assert.ok(was.set, was.codes.join());
  rows?.(shop);
  const edited = filesOf(shop);
  const texts = Object.entries(edited).filter(([, content]) => typeof content === 'string');
  const is = await read({ ...edited, ...files?.(Object.fromEntries(texts) as Record<string, string>) });
  const holds = is.set ? holdsOf(was.set, is.set) : [];
  const codes = [...holds, ...is.codes.map(code => ({ code }))].map(({ code }) => code);
  return { codes: [...new Set(codes)], holds };
}

test('a single draft in Markdown is published in silence, several are not', async () => {
  const item = (line: string) => `---\n${line}\ncreate_time: 2024-01-05\n---\n# Title\n\nText\n`;
  const news = (...lines: string[]) =>
    Object.fromEntries(lines.map((line, index) => [`news/${index + 1}.md`, item(line)]));
  const other = 'keywords: a';
  const cases: [before: Files, after: Files, codes: string[]][] = [
    [news('draft: true', other), news(other, other), []],
    [news('hidden: true', other), news(other, other), []],
    [news('draft: true', 'draft: true', other), news(other, other, other), ['LOST_GUARD']],
    [news('published: 2099-01-01', 'published: no'), news('published: yes', 'published: yes'), []],
  ];
  for (const [before, after, codes] of cases) {
    const [was, is] = [await read(before), await read(after)];
    assert.ok(was.set && is.set, [...was.codes, ...is.codes].join());
    const found = holdsOf(was.set, is.set).map(({ code }) => code);
    assert.deepEqual(found, codes, JSON.stringify(before));
  }
});

for (const accident of accidents) {
  test(`it does not go live in silence if ${accident.what}`, async t => {
    const { codes, holds } = await outcomeOf(accident);
    for (const { message } of holds) t.diagnostic(message);
    assert.deepEqual(codes, accident.codes, JSON.stringify(holds));
  });
}

for (const edit of harmlessEdits) {
  test(`it is harmless if ${edit.what}`, async () => {
    assert.deepEqual((await outcomeOf(edit)).holds, []);
  });
}

test('there are 60 accidents and 40 harmless edits, and each rule applies to one alone', () => {
  assert.ok(
    accidents.length >= 60 && harmlessEdits.length >= 40,
    `${accidents.length} ${harmlessEdits.length}`,
  );
  for (const code of Object.keys(holdRules))
    assert.ok(
      code === 'CUT_OFF' || code === 'NOT_COMPARED' || accidents.some(({ codes }) => codes.join() === code),
      code,
    );
});

/** Where a text ends after this many rows, and its headings. */
const endOf = (rows: number) => (text: string) =>
  text
    .split('\n')
    .slice(0, rows + 1)
    .join('\n').length + 1;

test('a file is cut off if it ends inside a row, or lacks more than the last row or a fiftieth of them', async t => {
  const news = Array.from({ length: 200 }, (_, index) => ({ ...shopToEdit().news[4], id: index + 1 }));
  const cases: [what: string, file: string, end: (text: string) => number, codes: string[]][] = [
    ['the last line break is lost', 'prices.csv', text => text.length - 1, []],
    ['the last row is deleted', 'prices.csv', endOf(47), []],
    ['two of 48 rows are gone', 'prices.csv', endOf(46), ['CUT_OFF']],
    ['four of 200 rows are gone', 'news.csv', endOf(196), []],
    ['five of 200 rows are gone', 'news.csv', endOf(195), ['CUT_OFF']],
    [
      'the last row is gone, and the line break before it',
      'prices.csv',
      text => endOf(47)(text) - 1,
      ['CUT_OFF'],
    ],
    ['the last number is cut', 'prices.csv', text => text.length - 2, ['CUT_OFF']],
    ['all rows are gone', 'news.csv', endOf(0), ['CUT_OFF', 'LOST_ROWS']],
  ];
  const files = filesOf({ ...shopToEdit(), news });
  for (const [what, name, end, codes] of cases) {
    const { dir, change } = await serveSet(t, files);
    await writeFile(join(dir, name), String(files[name]).slice(0, end(String(files[name]))));
    const { holds } = await change();
    assert.deepEqual(
      holds.map(({ code }) => code),
      codes,
      what,
    );
    assert.deepEqual((await change({ holdBack: false })).holds, [], what);
  }
});

test('a new file is cut off if it ends inside its last row', async t => {
  const shop = shopToEdit();
  const { dir, change } = await serveSet(t, filesOf(shop));
  for (const row of shop.prices) row.price = Number(row.price) + 1.11;
  const text = String(filesOf(shop)['prices.csv']);
  await writeFile(join(dir, 'prices.csv'), text.slice(0, endOf(43)(text) - 2));
  assert.deepEqual(
    (await change()).holds.map(({ code }) => code),
    ['CUT_OFF'],
  );
});
