import assert from 'node:assert/strict';
import { rename } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isError } from '../../src/contract/problems.ts';
import { openLiveCatalog } from '../../src/live/live.ts';
import { formatReport } from '../../src/live/report.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import { afterTest } from '../support/after-test.ts';
import { errorsOf, type Options } from '../support/catalog/forms.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { until } from '../support/until.ts';

/** A set with these cells as prices, in quotes. */
const prices = (cells: readonly string[]): Files => ({
  'products.csv': 'id,name\n1,Cloud\n',
  'configurations.csv': 'id,product_id,name,cpu,memory\n11,1,S,1,1024\n',
  'durations.csv': null,
  'prices.csv': `id,product_id,rel_id,duration_id,price\n${cells.map((cell, index) => `${index + 1},1,11,${index + 1},"${cell}"\n`).join('')}`,
});
const comma: Options = { csvDecimal: ',' };

/** Columns of prices, and what is read; undefined for a cell that is refused. */
const columns: [cells: string[], read: (number | undefined)[], options?: Options][] = [
  [
    ['12', '1.5', '.50', '1.928'],
    [12, 1.5, 0.5, 1.928],
  ],
  [
    ['.', '-.', '..5'],
    [undefined, undefined, undefined],
  ],
  [
    ['12', '1,5', '1,928'],
    [12, 1.5, 1.928],
  ],
  [
    ['0,123', '999,999'],
    [0.123, 999.999],
  ],
  [
    ['1234.567', '1.928'],
    [1234.567, 1.928],
  ],
  [
    ['1.9280', '1.928'],
    [1.928, 1.928],
  ],
  [
    ['12', '1.928'],
    [12, undefined],
  ],
  [
    ['12', '1,928'],
    [12, undefined],
  ],
  [['12', '1,928'], [12, undefined], comma],
  [['12', '1.928'], [12, undefined], comma],
  [
    ['0.5', '1,928'],
    [0.5, undefined],
  ],
  [['0.5', '12'], [0.5, 12], comma],
  [
    ['0,5', '0.5'],
    [undefined, 0.5],
  ],
  [['0.5', '0,5'], [undefined, 0.5], comma],
  [
    ['1.928', '1,928'],
    [undefined, undefined],
  ],
];

test('a column shows its decimal sign, and a number that may have a thousands separator is refused without it', async t => {
  for (const [cells, read, options] of columns) {
    const source = sourceIn(await writeFiles(t, shopWith(prices(cells))), options);
    const { report, rows } = await readSource(source, true);
    const refused = report.problems
      .filter(({ heading }) => heading === 'price')
      .map(({ row = 0 }) => row - 2);
    assert.deepEqual(
      { cells, refused },
      { cells, refused: [...read.keys()].filter(index => read[index] === undefined) },
    );
    if (refused.length === 0)
      assert.deepEqual(
        rows?.prices?.map(({ price }) => price),
        read,
      );
  }
});

test('each column is read by its own sign, and the report says which files have decimal commas', async t => {
  const files: Files = {
    'products.json': [{ id: 1, name: 'Cloud' }],
    'configurations.csv': 'id;product_id;name;cpu;memory\n11;1;S;0,5;2048.5\n',
    'durations.csv': null,
    'prices.csv': 'id\tproduct_id\trel_id\tduration_id\tprice\n1\t1\t11\t1\t19.90\n',
  };
  const { report, rows } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
  assert.deepEqual(
    rows?.configurations?.map(({ cpu, memory }) => [cpu, memory]),
    [[0.5, 2048.5]],
  );
  const [, configurations, pricesLine] = formatReport(report).split('\n');
  assert.equal(configurations, 'configurations.csv  1 row   utf-8, semicolons, decimal commas');
  assert.equal(pricesLine, 'prices.csv          1 row   utf-8, tabs');
});

test('the message about a wrong price uses the decimal sign of its column', async t => {
  const long = 'write at most 8 digits after the decimal sign, and 15 in total';
  const cases: [cells: string[], told: string][] = [
    [['0,5', 'x'], 'prices.csv:3:10: error BAD_NUMBER E3, price "x": write a plain number such as 12,50'],
    [
      ['0,5', '0,123456789'],
      `prices.csv:3:10: error BAD_NUMBER E3, price "0,123456789" has too many digits: ${long}`,
    ],
    [
      ['0,5', '1.234,56'],
      'prices.csv:3:10: error THOUSANDS_SEPARATOR E3, price "1.234,56" has a thousands separator: write 1234,56, and turn off the thousands separator of this column',
    ],
  ];
  for (const [cells, told] of cases) assert.deepEqual(await errorsOf(t, prices(cells)), [told]);
});

test('an ambiguous number is read as the decimal that is served in its row, and as no other', async t => {
  const dir = await writeFiles(t, shopWith(prices(['1.928', '12', '0.5'])));
  const options = { imagesDir: dir, stateDir: await writeFiles(t, {}), reloadPollMs: 20, reloadQuietMs: 0 };
  const settings = settingsFrom({ catalogDir: dir, ...options });
  const log = { info: () => {}, warn: () => {}, error: () => {} };
  const live = openLiveCatalog(settings, settings, log);
  afterTest(t, () => live.close());
  await live.loaded;
  /** The errors of the set with these prices. It is moved into place, so that no attempt sees half of it. */
  const outcomeOf = async (cells: readonly string[]) => {
    const before = live.status().attempt?.report;
    const next = await writeFiles(t, { 'prices.csv': prices(cells)['prices.csv'] ?? null });
    await rename(join(next, 'prices.csv'), join(dir, 'prices.csv'));
    const report = await until(t, async () => {
      const { attempt } = live.status();
      return attempt?.report === before ? undefined : attempt?.report;
    });
    return report.problems.filter(isError).map(({ cell, code }) => `${cell} ${code}`);
  };
  // The first price is the one that is served, and the second is not.
  assert.deepEqual(await outcomeOf(['1.928', '13']), []);
  assert.deepEqual(await outcomeOf(['1.928', '1.928']), ['E3 AMBIGUOUS_NUMBER']);
  assert.deepEqual(await outcomeOf(['1,929', '13']), ['E2 AMBIGUOUS_NUMBER']);
  assert.deepEqual(await outcomeOf(['1,928', '14']), []);
});
