import assert from 'node:assert/strict';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import {
  breakages,
  cutOff,
  markdown,
  markdownBreakages,
  replace,
  workbook,
  workbookBreakages,
  write,
} from './support/catalog/breakages.ts';
import { shop, writeInto } from './support/catalogs.ts';
import { answersOf, entriesOf, healthOf, newShop, serveOnce, serveShop } from './support/kept-shop.ts';
import { startProcess } from './support/process.ts';
import { until } from './support/until.ts';

const SERVED =
  /^the last change of the catalogs was refused, and the set of \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ is served$/;
const HELD = /^version [0-9a-f]{12} is held back: to let it go live, /;

for (const [form, files, ways] of [
  ['files', shop, breakages],
  ['one workbook', workbook, workbookBreakages],
  ['Markdown', markdown, markdownBreakages],
] as const) {
  test(`a start with broken catalogs, in ${form}, serves the last good set, and says so`, async t => {
    const dirs = await newShop(t, files);
    const answers = await serveOnce(t, dirs);
    for (const [what, code, breakIt] of ways) {
      await breakIt(dirs);
      const { listening, kill, stdout } = serveShop(t, dirs);
      const address = await listening();
      assert.deepEqual(await answersOf(address), answers, what);
      const { status, reasons, catalogs, held, last_attempt, loading } = await healthOf(address);
      assert.equal(status, 'degraded', what);
      assert.equal(loading, null, what);
      assert.match(reasons.join(), held ? HELD : SERVED, what);
      assert.ok(answers[0]?.includes(catalogs?.version ?? '?'));
      assert.equal(last_attempt?.outcome, held ? 'held' : 'failed');
      assert.ok(
        (held?.reasons ?? last_attempt?.problems ?? []).some(reason => reason.code === code),
        `${what}: ${JSON.stringify([held, last_attempt])}`,
      );
      assert.match(
        stdout(),
        /"msg":"catalogs (?:refused: \d+ errors?|held back: version [0-9a-f]{12}).*; serving version [0-9a-f]{12}, which has been served since /,
      );
      await kill();
      await rm(dirs.catalogDir, { recursive: true, force: true });
      await writeInto(dirs.catalogDir, files);
    }
  });
}

test('files that are repaired after such a start go live', async t => {
  const dirs = await newShop(t);
  const answers = await serveOnce(t, dirs);
  await rm(join(dirs.catalogDir, 'products.json'));
  const { listening } = serveShop(t, dirs);
  const address = await listening();
  assert.equal((await healthOf(address)).status, 'degraded');
  await writeInto(dirs.catalogDir, shop);
  await until(t, async () => ((await healthOf(address)).status === 'ok' ? true : undefined));
  assert.deepEqual(await answersOf(address), answers);
});

test('the sets of another directory are not the last good ones', async t => {
  const dirs = await newShop(t);
  await serveOnce(t, dirs);
  const other = {
    ...(await newShop(t, { 'products.json': [{ id: 1, name: 'Other' }] })),
    stateDir: dirs.stateDir,
  };
  await serveOnce(t, other, 2);
  await writeInto(other.catalogDir, { 'products.json': '[' });
  await cutOff('news.json')(dirs);
  const names = [];
  for (const broken of [other, dirs]) {
    const { listening, kill } = serveShop(t, broken);
    const [products] = await answersOf(await listening());
    names.push(/"name":"(.*?)"/.exec(products ?? '')?.[1]);
    await kill();
  }
  assert.deepEqual(names, ['Other', 'Cloud server']);
  const third = { ...(await newShop(t, { 'products.json': '[' })), stateDir: dirs.stateDir };
  assert.equal((await serveShop(t, third).exit).code, 1);
});

test('--strict exits instead, as a start without a history does', async t => {
  const dirs = await newShop(t);
  await serveOnce(t, dirs);
  await cutOff('news.json')(dirs);
  const fresh = { ...dirs, stateDir: `${dirs.stateDir}-new` };
  for (const { exit } of [serveShop(t, dirs, {}, ['--strict']), serveShop(t, fresh)]) {
    const { code, stderr } = await exit;
    assert.equal(code, 1);
    assert.match(stderr, /^news\.json:\d+:\d+: error BAD_JSON .*\n(.*\n)*refused: 1 error/m);
  }
});

test('--strict also ends a start whose directory is missing or empty', async t => {
  const dirs = await newShop(t);
  await serveOnce(t, dirs);
  await rm(dirs.catalogDir, { recursive: true });
  for (const code of ['NO_DIRECTORY', 'MISSING_FILE']) {
    if (code === 'MISSING_FILE') await mkdir(dirs.catalogDir);
    const exit = await serveShop(t, dirs, {}, ['--strict']).exit;
    assert.equal(exit.code, 1);
    assert.match(exit.stderr, new RegExp(`: error ${code} .*\\n(.*\\n)*refused: \\d+ error`));
  }
});

test('what was held back while the service ran is held back at the next start', async t => {
  const dirs = await newShop(t);
  const { listening, kill } = serveShop(t, dirs);
  const address = await listening();
  const answers = await answersOf(address);
  await until(t, async () => ((await entriesOf(dirs)).length > 0 ? true : undefined));
  await write({ 'prices.csv': 'id,product_id,rel_id,duration_id,price\n101,1,11,1,4\n' })(dirs);
  await until(t, async () => ((await healthOf(address)).last_attempt?.outcome === 'held' ? true : undefined));
  await kill();
  const next = serveShop(t, dirs);
  assert.deepEqual(await answersOf(await next.listening()), answers);
  assert.equal((await healthOf(await next.listening())).last_attempt?.outcome, 'held');
});

test('numbers that the served set has decided are read in the same way after a restart', async t => {
  // Without 0,5 it could be a thousand.
  const prices = (extra: string) => `id;product_id;rel_id;duration_id;price\n${extra}1;1;11;4;1,000\n`;
  const dirs = await newShop(t, { ...shop, 'prices.csv': prices('2;1;11;2;0,5\n') });
  const { listening, kill } = serveShop(t, dirs);
  const address = await listening();
  await writeInto(dirs.catalogDir, { 'prices.csv': prices('') });
  await until(t, async () => ((await entriesOf(dirs)).length > 1 ? true : undefined));
  const answers = await answersOf(address);
  assert.match(answers.join(), /"price":1[,}]/);
  await kill();
  for (const change of [
    () => {},
    () => write({ 'products.json': (shop['products.json'] as object[]).slice(0, 2) })(dirs),
  ]) {
    await change();
    const next = serveShop(t, dirs);
    const now = await answersOf(await next.listening());
    assert.equal(now[4], answers[4]?.replace(/ [0-9a-f]{12} /, ` ${now[4]?.split(' ')[1]} `));
    assert.equal((await healthOf(await next.listening())).status, 'ok');
    await next.kill();
  }
});

test('a set of which a file is damaged is passed over, and the one before it is served', async t => {
  const dirs = await newShop(t);
  const answers = await serveOnce(t, dirs);
  await write({ 'products.json': [...(shop['products.json'] as object[]), { id: 4, name: 'New' }] })(dirs);
  await serveOnce(t, dirs, 2);
  const [, newest = ''] = await entriesOf(dirs);
  const { files } = JSON.parse(await readFile(join(dirs.stateDir, 'history', newest), 'utf8'));
  const [{ sha256 }] = files;
  await writeFile(join(dirs.stateDir, 'history', 'files', `${sha256}.gz`), 'damaged');
  await cutOff('products.json')(dirs);
  const { listening, stdout } = serveShop(t, dirs);
  assert.deepEqual(await answersOf(await listening()), answers);
  assert.match(stdout(), new RegExp(`${sha256}\\.gz is damaged \\(.*\\): kept as .*\\.damaged"`));
});

test('a history of a newer version of Vitrine is an error that says so', async t => {
  const dirs = await newShop(t);
  await serveOnce(t, dirs);
  const path = join(dirs.stateDir, 'history', (await entriesOf(dirs))[0] ?? '');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"format": 1', '"format": 2'));
  const { code, stderr } = await serveShop(t, dirs).exit;
  assert.deepEqual([code, stderr.split('\n').length], [1, 2]);
  assert.match(stderr, /-[0-9a-f]{12}\.json has format 2, written by Vitrine .*: use a newer Vitrine\n$/);
});

test('the history has an entry for each set that was served, and none for a start with the same one', async t => {
  const dirs = await newShop(t);
  await serveOnce(t, dirs);
  await serveOnce(t, dirs);
  assert.equal((await entriesOf(dirs)).length, 1);
  await replace('prices.csv', '19.99', '20.99')(dirs);
  await serveOnce(t, dirs, 2);
  const args = ['history', '--state-dir', dirs.stateDir];
  const { code, stdout } = await startProcess(t, args).exit;
  assert.equal(code, 0);
  const [newest = '', oldest = '', end] = stdout.split('\n');
  const line =
    /^[0-9a-f]{12} {2}(?:served| {6}) {2}since \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ {2}28 rows(?: {2}(.*))?$/;
  assert.deepEqual(
    [newest, oldest].map(one => line.exec(one)?.[1]),
    ['1 price changed', undefined],
  );
  assert.equal(end, '');
  assert.match(newest, /^\w+ {2}served /);
  const { list, held } = JSON.parse((await startProcess(t, [...args, '--json']).exit).stdout);
  assert.deepEqual(
    list.map(({ version, state, changes }: Record<string, string>) => [version, state, changes]),
    [
      [newest.slice(0, 12), 'served', '1 price changed'],
      [oldest.slice(0, 12), undefined, null],
    ],
  );
  assert.equal(list[0].files.length, 6);
  assert.equal(held, null);

  const history = join(dirs.stateDir, 'history');
  await writeInto(history, { pin: oldest.slice(0, 6), held: 'abcdef012345\n' });
  const marked = (await startProcess(t, args).exit).stdout.split('\n');
  assert.deepEqual(
    marked.map(line => line.replace(/ {2}since.*/, '')),
    [
      `abcdef012345  held back; to let it go live: vitrine publish abcdef012345 --state-dir ${dirs.stateDir}`,
      `${newest.slice(0, 12)}  served`,
      `${oldest.slice(0, 12)}  pinned`,
      '',
    ],
  );
  await rm(join(history, 'held'));
  await writeInto(history, { pin: '' });
  assert.match((await startProcess(t, args).exit).stdout, /^\w+ {2}pinned {2}since .*\n\w+ {10}since/);
  await writeInto(history, { pin: 'ffffff' });
  assert.match(
    (await startProcess(t, args).exit).stderr,
    /^version ffffff is pinned, but not in the history\n$/,
  );
});

test('an empty history is told in a sentence', async t => {
  const dirs = await newShop(t);
  const { code, stdout } = await startProcess(t, ['history', '--state-dir', dirs.stateDir]).exit;
  assert.deepEqual([code, stdout], [0, `no set has been served with ${dirs.stateDir}/history yet\n`]);
});
