import assert from 'node:assert/strict';
import { readFile, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemFs } from '../src/files/atomic-write.ts';
import { historyPath } from '../src/history/entries.ts';
import { afterTest } from './support/after-test.ts';
import { type Files, shop, shopWith, writeFiles, writeInto } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';
import { startHistory } from './support/histories.ts';
import { keepAndPrune, setOf, UNBOUNDED } from './support/history.ts';

const [older, newest] = [setOf({ 'products.json': 'one' }, 0), setOf({ 'products.json': 'two' }, 1)];
const [one, two] = [older.entry.version, newest.entry.version];
const held = 'abcdef012345';

test('history, rollback, unpin and publish read and write what the service watches', async t => {
  const [catalogDir, stateDir] = [await writeFiles(t, {}), await writeFiles(t, {})];
  const history = join(stateDir, 'history');
  /** Asserts of a command what it prints; or, if it fails, its sentence. */
  const says = async (command: string, expected: string, fails = false) => {
    const dirs = ['--catalog-dir', catalogDir, '--state-dir', stateDir];
    const { code, stdout, stderr } = await runCommand([...command.split(' '), ...dirs]);
    assert.deepEqual([code, stdout, stderr], fails ? [1, '', expected] : [0, expected, ''], command);
  };
  const controlFile = (name: string) => readFile(join(history, name), 'utf8');

  await says('history', `no set has been served with ${history} yet\n`);
  const none = 'version abcdef is not in the history: no set has been served with this STATE_DIR yet\n';
  await says('rollback abcdef', none, true);
  for (const set of [older, { ...newest, entry: { ...newest.entry, summary: '1 price changed' } }])
    await keepAndPrune(systemFs, set, UNBOUNDED, assert.fail, history);
  const listed = (state: string, others: string) =>
    `${two}  ${state.padEnd(6)}  since 1970-01-01T00:00:01Z  1 row  1 price changed\n${one}  ${others.padEnd(6)}  since 1970-01-01T00:00:00Z  1 row\n`;
  await says('history', listed('served', ''));

  const typo = `${one.slice(0, 11)}${one.endsWith('0') ? 1 : 0}`;
  await says(`rollback ${typo}`, `version ${typo} is not in the history: did you mean ${one}?\n`, true);
  const command = `vitrine unpin --catalog-dir ${catalogDir} --state-dir ${stateDir}`;
  const pinned = `version ${one} is pinned: the service serves it and loads no changed files until you run '${command}'\n`;
  await says(`rollback ${one.slice(0, 6)}`, pinned);
  assert.equal(await controlFile('pin'), `${one}\n`);
  await says('history', listed('served', 'pinned'));
  await says('unpin', 'nothing is pinned now: the service loads the catalog files again\n');
  await says('unpin', 'nothing is pinned\n');
  await writeInto(catalogDir, { pin: one });
  const still = `${catalogDir}/pin still pins version ${one}, for every service of these catalogs: delete that file\n`;
  await says('unpin', still, true);
  await writeInto(catalogDir, { pin: '' });
  await says('history', listed('pinned', ''));
  await rm(join(catalogDir, 'pin'));

  await says(`publish ${held}`, 'no version is held back\n', true);
  await writeInto(history, { held: `${held}\n` });
  const confirm = `vitrine publish ${held} --catalog-dir ${catalogDir} --state-dir ${stateDir}`;
  await says('history', `${held}  held back; to let it go live: ${confirm}\n${listed('served', '')}`);
  await says('publish 012345', `version 012345 is not held back, but ${held} is\n`, true);
  await says(`publish ${held.slice(0, 6)}`, `version ${held} is confirmed: the service serves it\n`);
  assert.equal(await controlFile('publish'), `${held}\n`);

  await writeInto(history, { pin: 'ffffff' });
  const { stdout, stderr } = await runCommand(['history', '--json', '--state-dir', stateDir]);
  assert.equal(stderr, 'version ffffff is pinned, but not in the history\n');
  const { list, ...others } = JSON.parse(stdout);
  const shown = list.map(({ version, state, changes, files }: Record<string, string>) =>
    [version, state, changes, files?.length].join(),
  );
  assert.deepEqual([shown, others], [[`${two},served,1 price changed,1`, `${one},,,1`], { held }]);
});

const prices = String(shop['prices.csv']);
const configurations = String(shop['configurations.csv']);

/** A history of sets that were served one after the other, their versions, and a directory with the last one. */
async function serveInTurn(t: TestContext, sets: readonly Files[]) {
  const { app, ...served } = await startHistory(t, sets, { holdBack: 'off' });
  await app.close();
  return served;
}

const second = shopWith({ 'prices.csv': prices.replace('19.99', '24.99') });
const third = shopWith({
  'configurations.csv': configurations.replace('Small,1,', 'Small,2,').replace(',yes', ','),
  'prices.csv': prices.replace('19.99', '24.99').replace('105,1,12,4,9.90\n', ''),
});

test('diff shows what changed between versions and directories', async t => {
  const { catalogDir, stateDir, versions } = await serveInTurn(t, [second, third]);
  const [one = '', two = '', three = ''] = versions;
  const run = (...args: string[]) =>
    runCommand(['diff', ...args, '--state-dir', stateDir, '--images-dir', catalogDir]);
  const newest = `${two} → ${three}: 1 configuration changed, 1 configuration shown, 1 price removed

configurations
  changed  11 "Small"   cpu 1 → 2
  changed  14 "Secret"  hidden true → false

prices
  removed  product 1, configuration 12, duration 4  9.9
`;
  assert.deepEqual(await run(), { code: 0, stdout: newest, stderr: '' });
  assert.equal((await run(two)).stdout, newest);
  assert.equal((await run(two.slice(0, 6), three)).stdout, newest);

  const dir = await writeFiles(t, shop);
  assert.equal((await run(dir, one)).stdout, `${one} (${dir}) → ${one}: nothing changed\n`);
  const back = await run(two, dir);
  assert.equal(
    back.stdout,
    `${two} → ${one} (${dir}): 1 price changed\n\nprices\n  changed  product 1, configuration 11, duration 4  price 24.99 → 19.99 (-20.01 %)\n`,
  );
  assert.match((await run(dir)).stdout, new RegExp(`^${three} → ${one} \\(`));

  const cwd = process.cwd();
  afterTest(t, () => process.chdir(cwd));
  await symlink(dir, join(stateDir, 'abcdef'));
  process.chdir(stateDir);
  assert.match((await run('abcdef')).stderr, /version abcdef is not in the history/);
  assert.match((await run('./abcdef')).stdout, new RegExp(`^${three} → ${one} \\(\\./abcdef\\)`));
});

test('diff --json has every change with whole values', async t => {
  const long = 'x'.repeat(1000);
  const news = shop['news.json'] as object[];
  const from = await writeFiles(t, shop);
  const changed = [{ ...news[0], content: long }, ...news.slice(1)];
  const to = await writeFiles(t, shopWith({ 'news.json': changed, 'durations.json': null }));
  const { code, stdout } = await runCommand(['diff', from, to, '--json', '--images-dir', from]);
  assert.equal(code, 0);
  const report = JSON.parse(stdout);
  assert.deepEqual(report.catalogs, [
    {
      ...{ catalog: 'durations', file: 'removed', added: 0, removed: 4, changed: 0 },
      ...{ columns_added: [], columns_removed: [] },
    },
    { catalog: 'news', added: 0, removed: 0, changed: 1, columns_added: [], columns_removed: [] },
  ]);
  assert.deepEqual([report.from.directory, report.to.directory], [from, to]);
  assert.equal(report.summary, '4 durations removed, 1 news item changed, catalog durations gone');
  assert.deepEqual(report.changes.at(-1), {
    catalog: 'news',
    change: 'changed',
    key: { id: 1 },
    columns: [{ column: 'content', from: '<p>Come <b>in</b></p>', to: long }],
  });
});

test('diff lists the first changes of each catalog, and all with --all', async t => {
  const types = Array.from({ length: 22 }, (_, index) => ({ id: index + 1, name: 'A' }));
  const [from, to] = [await writeFiles(t, shop), await writeFiles(t, shopWith({ 'news_types.json': types }))];
  for (const [flags, count, last] of [
    [[], 21, '  … and 2 more; --all lists all'],
    [['--all'], 22, '  added    22 "A"'],
  ] as const) {
    const { stdout } = await runCommand(['diff', from, to, '--images-dir', from, ...flags]);
    const lines = stdout.trimEnd().split('\n').slice(3);
    assert.deepEqual([lines.length, lines.at(-1)], [count, last]);
  }
});

test('diff says what it cannot compare', async t => {
  const { catalogDir, stateDir, versions } = await serveInTurn(t, []);
  const [one = ''] = versions;
  const run = async (args: string[], state = stateDir) => {
    const command = ['diff', ...args, '--state-dir', state, '--images-dir', catalogDir];
    const { code, stderr } = await runCommand(command);
    assert.equal(code, 1);
    return stderr;
  };
  const swapped = `${one.slice(1)}${one[0]}`;
  assert.equal(await run([swapped]), `version ${swapped} is not in the history: did you mean ${one}?\n`);
  assert.match(await run([]), /^the history in .* has one set, version \w{12}: there is none before it\n$/);
  assert.match(await run([one], catalogDir), /^the history in .* is empty: name two directories\n$/);
  const broken = await writeFiles(t, shopWith({ 'news.json': '[' }));
  assert.match(await run([broken, broken]), /^news\.json:1:2: error .*\nrefused: 1 error/);
  const entry = { format: 2, version: '9.0.0' };
  await writeInto(historyPath(stateDir), { '000002-abcdef012345.json': JSON.stringify(entry) });
  assert.match(await run([]), /000002-abcdef012345\.json has format 2, written by Vitrine 9\.0\.0, .*: use /);
});
