import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shop, shopWith, writeFiles } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';

test('check reports the same as a start, and serves nothing', async t => {
  const good = await writeFiles(t, shop);
  const bad = await writeFiles(t, shopWith({ 'products.json': '[{"id": 1}]' }));
  const fine = await runCommand(['check', good, '--strict'], { IMAGES_DIR: good });
  assert.equal(fine.code, 0);
  assert.match(
    fine.stdout,
    /^products\.json +3 rows {2}utf-8\nconfigurations\.csv +5 rows {2}utf-8, commas\n[^:]*\nnews\.json:7:\d+: warning NO_IMAGE .*\nok: version [0-9a-f]{12}, 0 errors, 1 warning in 6 files with 28 rows\n$/,
  );
  const broken = await runCommand(['check', '--catalog-dir', bad]);
  assert.equal(broken.code, 1);
  assert.match(
    broken.stdout,
    /\nproducts\.json:1:2: error MISSING_VALUE name is missing: write text in "double quotes"\n/,
  );
  assert.equal(broken.stderr, '');
});

test('check --json prints the report for programs', async t => {
  const dir = await writeFiles(
    t,
    shopWith({ 'news_types.json': '[{"id": 1, "name": "A"}, {"id": 1, "name": "B"}]' }),
  );
  const { code, stdout } = await runCommand(['check', dir, '--json', '--images-dir', dir]);
  assert.equal(code, 1);
  const { ok, version, files, problems } = JSON.parse(stdout);
  assert.deepEqual({ ok, version }, { ok: false, version: null });
  assert.deepEqual(files.slice(0, 2), [
    { catalog: 'products', file: 'products.json', rows: 3, encoding: 'utf-8' },
    { catalog: 'configurations', file: 'configurations.csv', rows: 5, encoding: 'utf-8', delimiter: ',' },
  ]);
  assert.deepEqual(problems[0], {
    severity: 'error',
    code: 'DUPLICATE_ID',
    file: 'news_types.json',
    line: 1,
    column: 33,
    heading: 'id',
    message: 'id 1 is already used at news_types.json:1:9: give each row its own id',
    also: { file: 'news_types.json', line: 1, column: 9, heading: 'id' },
  });
});

test('check --all lists every problem, where check shows equal ones as one', async t => {
  const prices = `id,product_id,rel_id,duration_id,price\n${[1, 2, 3].map(id => `${id},1,11,${id},x\n`).join('')}`;
  const dir = await writeFiles(t, shopWith({ 'prices.csv': prices }));
  const told = async (...flags: string[]) => {
    const { stdout } = await runCommand(['check', dir, '--images-dir', dir, ...flags]);
    return stdout.split('\n').filter(line => line.includes('BAD_NUMBER'));
  };
  const message = (row: number) =>
    `prices.csv:${row}:10: error BAD_NUMBER E${row}, price "x": write a plain number such as 12.50`;
  assert.deepEqual(await told(), [`${message(2)} (3 cells: E2, E3, E4)`]);
  assert.deepEqual(await told('--all'), [message(2), message(3), message(4)]);
});
