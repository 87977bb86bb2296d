import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { formatProblem } from '../../src/catalog/problems/problems.ts';
import { readChangedSet, readSet } from '../../src/catalog/reader/load-set.ts';
import { fingerprint } from '../../src/catalog/watch/fingerprint.ts';
import { serveSet } from '../support/catalog/served-set.ts';
import { sourceIn, writeFiles } from '../support/catalogs.ts';
import { fixtureSet, ROWS } from '../support/fixture-sets.ts';

type Change = Awaited<ReturnType<typeof readChangedSet>>;

/** The problems of a set that was read, a line each. */
function told(change: Change): string[] {
  return change.outcome === 'read' ? change.report.problems.map(formatProblem) : assert.fail(change.outcome);
}

const file = (name: string) => String(fixtureSet(1)[name]);
const lines = (name: string, count: number) =>
  `${file(name)
    .split('\n')
    .slice(0, count + 1)
    .join('\n')}\n`;

test('a file that is cut at any byte never leads to a wrong row', async t => {
  const { dir, rows, change } = await serveSet(t);
  const jsonDir = await writeFiles(t, {});
  for (const name of ['prices.csv', 'news.csv']) {
    const content = file(name);
    const catalog = name === 'prices.csv' ? 'prices' : 'news';
    let served = 0;
    for (let end = 0; end < content.length; end += 1) {
      await writeFile(join(dir, name), content.slice(0, end));
      const changed = await change();
      if (changed.outcome !== 'read' || !changed.rows) continue;
      served += 1;
      for (const row of changed.rows[catalog] ?? []) {
        const whole = rows[catalog]?.find(({ id }) => id === row.id);
        assert.deepEqual(row, whole, `${name} cut at ${end}`);
      }
    }
    // Those that end with a row, from half of the rows on, and the file without its last line break.
    assert.equal(served, ROWS / 2 + 1, name);
    await writeFile(join(dir, name), content);
  }
  const json = JSON.stringify(rows.products, null, 1);
  for (let end = 0; end < json.length; end += 1) {
    await writeFile(join(jsonDir, 'products.json'), json.slice(0, end));
    const { report } = await readSet(sourceIn(jsonDir));
    assert.ok(
      report.problems.some(({ file }) => file === 'products.json'),
      `JSON cut at ${end}`,
    );
  }
});

test('a catalog that has lost more than half of its rows is refused, unless that is allowed', async t => {
  const cases: [name: string, content: string | null, told: string | undefined][] = [
    ['news.csv', lines('news.csv', 3), undefined],
    [
      'news.csv',
      lines('news.csv', 2),
      'news.csv: error SHRUNK 4 of 6 news items are gone: save the whole file again; or, if you meant it, ask your administrator to start with --allow-shrink',
    ],
    [
      'news.csv',
      lines('news.csv', 0),
      'news.csv: error SHRUNK 6 of 6 news items are gone: save the whole file again; or, if you meant it, ask your administrator to start with --allow-shrink',
    ],
    [
      'news.csv',
      null,
      'news.csv: error SHRUNK news.csv is gone: put it back; or, if you meant it, ask your administrator to start with --allow-shrink',
    ],
    [
      'durations.csv',
      null,
      'durations.csv: error SHRUNK durations.csv is gone: put it back; or, if you meant it, ask your administrator to start with --allow-shrink',
    ],
  ];
  for (const [name, content, problem] of cases) {
    const { dir, change } = await serveSet(t);
    if (content === null) await rm(join(dir, name));
    else await writeFile(join(dir, name), content);
    assert.deepEqual(told(await change()), problem ? [problem] : []);
    assert.deepEqual(told(await change({ allowShrink: true })), []);
  }
});

test('rows that another error drops are not reported again as missing', async t => {
  const { dir, change } = await serveSet(t);
  await writeFile(join(dir, 'news.csv'), 'PK\x03\x04');
  await rm(join(dir, 'products.csv'));
  assert.deepEqual(
    told(await change()).map(line => line.split(' ')[2]),
    ['MISSING_FILE', 'WORKBOOK'],
  );
});

test('an empty catalog is accepted if there was none before', async t => {
  await serveSet(t, { ...fixtureSet(1), 'news.csv': lines('news.csv', 0) });
});

test('a file that ends inside its last line, and was longer before, is refused', async t => {
  const { dir, change } = await serveSet(t);
  const cut = (line: number, column: number) => [
    `prices.csv:${line}:${column}: error CUT_OFF row ${line}: the file seems to be cut off in this row: save the whole file again, or, if it is complete, end it with a line break`,
  ];
  const cases: [content: string, told: string[]][] = [
    [file('prices.csv').trimEnd(), []],
    [lines('prices.csv', 5).trimEnd(), cut(6, 1)],
    [`${lines('prices.csv', 5)}1006,1006,1006,1006,`, [...cut(7, 1), 'missing']],
    [`${lines('prices.csv', 5)}1006,1006,1006,1006,7`, []],
    [`${file('prices.csv')}1007,1001,1001,1002,7`, []],
  ];
  for (const [content, problems] of cases) {
    await writeFile(join(dir, 'prices.csv'), content);
    assert.deepEqual(
      told(await change())
        .filter(line => !line.includes('NO_PRICE'))
        .map(line => (line.includes('MISSING_VALUE') ? 'missing' : line)),
      problems,
      content.slice(-30),
    );
  }
});

test('a file with a proper end is loaded at once, others once they have been stable for longer', async t => {
  const { dir, change } = await serveSet(t);
  const cases: [name: string, content: string | Buffer, quietMs: number | undefined][] = [
    ['news.csv', `${file('news.csv')}\n`, undefined],
    ['news.csv', file('news.csv').replaceAll('\n', '\r'), undefined],
    ['news.csv', Buffer.from(`\uFEFF${file('news.csv')}`, 'utf16le'), undefined],
    ['news.csv', file('news.csv').trimEnd(), 2000],
    ['news.csv', '', 2000],
  ];
  for (const [name, content, quietMs] of cases) {
    await writeFile(join(dir, name), content);
    const changed = await change({ stillMs: 1999 });
    assert.equal(changed.outcome === 'unstable' ? changed.quietMs : undefined, quietMs);
    assert.equal((await change({ stillMs: 2000 })).outcome, 'read');
  }
});

test('JSON needs no line break at its end, but its bracket', async t => {
  const products = Array.from({ length: ROWS }, (_, index) => ({ id: 1001 + index, name: 'set 1' }));
  const { dir, change } = await serveSet(t, {
    ...fixtureSet(1),
    'products.csv': null,
    'products.json': products,
  });
  const text = JSON.stringify(products);
  await writeFile(join(dir, 'products.json'), text);
  assert.equal((await change({ stillMs: 0 })).outcome, 'read');
  await writeFile(join(dir, 'products.json'), text.slice(0, -1));
  assert.deepEqual(await change({ stillMs: 0 }), { outcome: 'unstable', quietMs: 2000 });
});

test('a file that continues a refused one is a slow copy, and is loaded once it has been stable for longer', async t => {
  const { dir, change } = await serveSet(t);
  await writeFile(join(dir, 'news.csv'), lines('news.csv', 2));
  const first = await change();
  const refused = first.outcome === 'read' ? first.report : assert.fail(first.outcome);
  assert.equal(refused.version, undefined);
  await writeFile(join(dir, 'news.csv'), lines('news.csv', 4));
  assert.deepEqual(await change({ refused, stillMs: 5999 }), { outcome: 'unstable', quietMs: 6000 });
  assert.equal((await change({ refused, stillMs: 6000 })).outcome, 'read');
  await writeFile(join(dir, 'news.csv'), file('news.csv').replace('set 1', 'set one'));
  assert.equal((await change({ refused, stillMs: 0 })).outcome, 'read', 'not a continuation');
  await writeFile(join(dir, 'news.csv'), '');
  const empty = await change();
  assert.equal(empty.outcome, 'read');
  await writeFile(join(dir, 'news.csv'), `${file('news.csv')}\n`);
  const refusedEmpty = empty.outcome === 'read' ? empty.report : undefined;
  const whole = await change({ ...(refusedEmpty && { refused: refusedEmpty }), stillMs: 0 });
  assert.equal(whole.outcome, 'read', 'nothing was there to be continued');
});

test('a file that changes while it is read is read again; a file with the served content is not', async t => {
  const { dir, source, served, change } = await serveSet(t);
  const expected = {
    stillMs: 60_000,
    served,
    kept: undefined,
    refused: undefined,
    servedNumbers: undefined,
    allowShrink: false,
  };
  const { key } = await fingerprint(dir);
  await writeFile(join(dir, 'news.csv'), file('news.csv'));
  assert.deepEqual(await readChangedSet(source, { ...expected, fingerprint: key }), { outcome: 'moved' });
  assert.deepEqual(await change(), { outcome: 'unchanged' });
});
