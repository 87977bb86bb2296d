import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatProblem } from '../../src/contract/problems.ts';
import type { ChangedSet } from '../../src/reader/changed-set.ts';
import { STILL_MS } from '../../src/set/stability.ts';
import { fingerprint } from '../../src/set/system-directory.ts';
import { markdown } from '../support/catalog/breakages.ts';
import { serveSet } from '../support/catalog/served-set.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { skipInQuickRun } from '../support/skipping.ts';
import { noFiles, shopSheets } from '../support/workbooks/shop-workbook.ts';
import { xlsx } from '../support/workbooks/xlsx.ts';

/** Why a set that was read waits, and its problems, a line each. */
function told(change: ChangedSet & { holds: { code: string; message: string }[] }): string[] {
  const holds = change.holds.map(({ code, message }) => `${code} ${message}`);
  if (change.outcome !== 'read') return assert.fail(change.outcome);
  return [...holds, ...change.report.problems.map(formatProblem)];
}

const file = (name: string) => String(fixtureSet(1)[name]);
const lines = (name: string, count: number) =>
  `${file(name)
    .split('\n')
    .slice(0, count + 1)
    .join('\n')}\n`;

/** Where a text is cut: at every byte, or in `npm test` at some, and around each line break. */
const endsOf = (text: string) =>
  Array.from(text, (_, end) => end).filter(
    end => !skipInQuickRun || end % 9 === 0 || text.slice(Math.max(0, end - 1), end + 1).includes('\n'),
  );

test('a file that is cut at any byte never leads to a wrong row', async t => {
  const { dir, rows, change } = await serveSet(t);
  for (const catalog of ['prices', 'news'] as const) {
    const name = `${catalog}.csv`;
    const content = file(name);
    let served = 0;
    for (const end of endsOf(content)) {
      await writeFile(join(dir, name), content.slice(0, end));
      const changed = await change();
      if (changed.outcome !== 'read' || !changed.rows || changed.holds.length > 0) continue;
      served += 1;
      for (const row of changed.rows[catalog] ?? []) {
        const whole = rows[catalog]?.find(({ id }) => id === row.id);
        assert.deepEqual(row, whole, `${name} cut at ${end}`);
      }
    }
    // The file without its last line break, and without its last row.
    assert.equal(served, 2, name);
    await writeFile(join(dir, name), content);
  }
});

test('a workbook that is cut is not believed before it has lain still, and then has an error', async t => {
  const sheets = shopSheets();
  const { dir, change } = await serveSet(t, { ...noFiles, 'catalog.xlsx': xlsx(sheets) });
  const changed = xlsx({
    ...sheets,
    news_types: [
      ['id', 'name'],
      [1, 'Announcements'],
      [2, 'Repairs'],
    ],
  });
  for (let end = 1; end < changed.length; end += Math.floor(changed.length / 20)) {
    await writeFile(join(dir, 'catalog.xlsx'), changed.subarray(0, end));
    assert.equal((await change({ stillMs: STILL_MS - 1 })).outcome, 'incomplete', `${end} bytes`);
    const lines = told(await change()).join('\n');
    assert.match(lines, /^catalog\.xlsx: error BAD_WORKBOOK [^\n]*$/, `${end} bytes`);
  }
  await writeFile(join(dir, 'catalog.xlsx'), changed);
  assert.equal((await change({ stillMs: 0 })).outcome, 'read');
});

test('a loss is held back with what to do, unless that is allowed', async t => {
  const cut =
    'seems to be cut off in row 6: save the whole file again, or, if it is complete, end it with a line break';
  const cases: [name: string, content: string | null, told: string | undefined][] = [
    ['news.csv', lines('news.csv', 4), undefined],
    [
      'news.csv',
      lines('news.csv', 2),
      'LOST_ROWS 4 of 6 news items would disappear: save the whole file again',
    ],
    ['news.csv', null, 'LOST_ROWS news.csv is gone: put it back'],
    ['prices.csv', file('prices.csv').trimEnd(), undefined],
    ['prices.csv', lines('prices.csv', 5).replace('1001', '1000').trimEnd(), `CUT_OFF prices.csv ${cut}`],
    ['prices.csv', `${lines('prices.csv', 5)}99,99,99,99,7`, undefined],
    ['prices.csv', `${file('prices.csv')}1007,1001,1001,1002,7`, undefined],
  ];
  for (const [name, content, problem] of cases) {
    const { dir, change } = await serveSet(t);
    if (content === null) await rm(join(dir, name));
    else await writeFile(join(dir, name), content.replaceAll('set 1', 'set one'));
    const others = (line: string) => !line.includes('NO_PRICE');
    assert.deepEqual(told(await change()).filter(others), problem ? [problem] : [], content?.slice(-30));
    assert.deepEqual(told(await change({ holdBack: false })).filter(others), []);
  }
  const { dir, change } = await serveSet(t, markdown);
  await rename(join(dir, 'news'), join(dir, '_news'));
  assert.deepEqual(told(await change()), ['LOST_ROWS all files news/*.md are gone: put them back']);
});

test('what cannot be compared with the set before is held back, unless that is allowed', async t => {
  const { dir, served, change } = await serveSet(t, fixtureSet(1), false);
  await writeFile(join(dir, 'news.csv'), file('news.csv').replaceAll('set 1', 'set one'));
  assert.deepEqual(told(await change()), [
    `NOT_COMPARED version ${served.version} that was served before cannot be read any more: check the changes yourself`,
  ]);
  assert.deepEqual(told(await change({ holdBack: false })), []);
});

test('rows that another error drops are not reported again as missing', async t => {
  const { dir, change } = await serveSet(t);
  await writeFile(join(dir, 'news.csv'), 'PK\x03\x04');
  await rm(join(dir, 'products.csv'));
  const codes = told(await change()).map(line => line.split(' ')[2]);
  assert.deepEqual(codes, ['MISSING_FILE', 'WORKBOOK']);
});

for (const isRestart of [false, true]) {
  const when = isRestart ? 'after a restart' : 'while it is served';
  test(`a CSV file that lacks rows is not believed before it has lain still, ${when}`, async t => {
    const { dir, before, change } = await serveSet(t);
    const former = isRestart && before ? { before: { ...before, found: undefined } } : {};
    const outcome = async (content: string, stillMs: number) => {
      await writeFile(join(dir, 'news.csv'), content.replaceAll('set 1', 'set one'));
      return (await change({ ...former, stillMs })).outcome;
    };
    assert.equal(await outcome(lines('news.csv', 4), STILL_MS - 1), 'incomplete');
    assert.equal(await outcome(lines('news.csv', 4), STILL_MS), 'read');
    assert.equal(await outcome(`${lines('news.csv', 6)}7,99,2024-01-01,New,New\n`, 0), 'read');
  });
}

test('a file that changes while it is read is read again; a file with the served content is not', async t => {
  const { dir, change } = await serveSet(t);
  const { key } = await fingerprint(dir);
  await writeFile(join(dir, 'news.csv'), file('news.csv'));
  const changed = await change({ fingerprint: key });
  assert.deepEqual(changed, { outcome: 'incomplete', stillMs: 0, holds: [] });
  assert.equal((await change()).outcome, 'unchanged');
});
