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
import { type Files, shop, writeInto } from './support/catalogs.ts';
import {
  answersOf,
  entriesOf,
  healthOf,
  newShop,
  type ShopDirs,
  serveOnce,
  startShop,
} from './support/kept-shop.ts';
import { startProcess } from './support/process.ts';
import { until } from './support/until.ts';

const SERVED =
  /^the last change of the catalogs was refused, and the set of \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ is served$/;
const HELD = /^version [0-9a-f]{12} is held back: to let it go live, /;

async function repair({ catalogDir }: ShopDirs, files: Files): Promise<void> {
  await rm(catalogDir, { recursive: true, force: true });
  await writeInto(catalogDir, files);
}

for (const [form, files, ways] of [
  ['files', shop, breakages],
  ['one workbook', workbook, workbookBreakages],
  ['Markdown', markdown, markdownBreakages],
] as const) {
  test(`a start with broken catalogs, in ${form}, serves the last good set, and says so`, async t => {
    const dirs = await newShop(t, files);
    const good = await serveOnce(t, dirs);
    for (const [what, code, breakIt] of ways) {
      await breakIt(dirs);
      const { address, version, close } = await startShop(t, dirs);
      assert.deepEqual(await answersOf(address), good, what);
      const { status, reasons, catalogs, held, last_attempt, loading } = await healthOf(address);
      assert.deepEqual([status, loading, catalogs?.version], ['degraded', null, version()], what);
      assert.match(reasons.join(), held ? HELD : SERVED, what);
      assert.equal(last_attempt?.outcome, held ? 'held' : 'failed');
      const codes = (held?.reasons ?? last_attempt?.problems ?? []).map(({ code }) => code);
      assert.ok(
        codes.some(found => found === code),
        `${what}: ${codes}`,
      );
      await close();
      await repair(dirs, files);
    }
  });
}

test('files that are repaired after such a start go live', async t => {
  const dirs = await newShop(t);
  const good = await serveOnce(t, dirs);
  await rm(join(dirs.catalogDir, 'products.json'));
  const { address } = await startShop(t, dirs);
  assert.equal((await healthOf(address)).status, 'degraded');
  await writeInto(dirs.catalogDir, shop);
  await until(t, async () => ((await healthOf(address)).status === 'ok' ? true : undefined));
  assert.deepEqual(await answersOf(address), good);
});

test('the sets of another directory are not the last good ones', async t => {
  const dirs = await newShop(t);
  await serveOnce(t, dirs);
  const { stateDir } = dirs;
  const other = { ...(await newShop(t, { 'products.json': [{ id: 1, name: 'Other' }] })), stateDir };
  await serveOnce(t, other);
  await writeInto(other.catalogDir, { 'products.json': '[' });
  await cutOff('news.json')(dirs);
  for (const [broken, name] of [
    [other, 'Other'],
    [dirs, 'Cloud server'],
  ] as const) {
    const { address, close } = await startShop(t, broken);
    assert.ok((await answersOf(address))[0]?.includes(`"name":"${name}"`), name);
    await close();
  }
  const third = { ...(await newShop(t, { 'products.json': '[' })), stateDir };
  await assert.rejects(startShop(t, third), { name: 'CatalogError' });
});

test('--strict refuses to start instead, as a start without a history does', async t => {
  const dirs = await newShop(t);
  await serveOnce(t, dirs);
  await cutOff('news.json')(dirs);
  const json = /^news\.json:\d+:\d+: error BAD_JSON .*\n(.*\n)*refused: 1 error/m;
  await assert.rejects(startShop(t, dirs, { strict: true }), { name: 'CatalogError', message: json });
  await assert.rejects(startShop(t, { ...dirs, stateDir: `${dirs.stateDir}-new` }), { message: json });
  await rm(dirs.catalogDir, { recursive: true });
  for (const code of ['NO_DIRECTORY', 'MISSING_FILE']) {
    if (code === 'MISSING_FILE') await mkdir(dirs.catalogDir);
    const message = new RegExp(`: error ${code} .*\\n(.*\\n)*refused: \\d+ error`);
    await assert.rejects(startShop(t, dirs, { strict: true }), { name: 'CatalogError', message });
  }
});

test('numbers that the served set has decided are read in the same way after a restart', async t => {
  // Without 0,5 it could be a thousand.
  const prices = (extra: string) => `id;product_id;rel_id;duration_id;price\n${extra}1;1;11;4;1,000\n`;
  const dirs = await newShop(t, { ...shop, 'prices.csv': prices('2;1;11;2;0,5\n') });
  const first = await startShop(t, dirs, { reloadPollMs: 20 });
  const before = first.version();
  await writeInto(dirs.catalogDir, { 'prices.csv': prices('') });
  await until(t, async () => (first.version() === before ? undefined : true));
  const [, , , , price = ''] = await answersOf(first.address);
  assert.match(price, /"price":1[,}]/);
  await first.close();
  for (const change of [{}, { 'products.json': (shop['products.json'] as object[]).slice(0, 2) }]) {
    await writeInto(dirs.catalogDir, change);
    const next = await startShop(t, dirs);
    const [, , , , now = ''] = await answersOf(next.address);
    assert.equal(now.slice(16), price.slice(16));
    assert.equal((await healthOf(next.address)).status, 'ok');
    await next.close();
  }
});

test('a set of which a file is damaged is passed over, and the one before it is served', async t => {
  const dirs = await newShop(t);
  const good = await serveOnce(t, dirs);
  await write({ 'products.json': [...(shop['products.json'] as object[]), { id: 4, name: 'New' }] })(dirs);
  await serveOnce(t, dirs);
  const [, newest = ''] = await entriesOf(dirs);
  const { files } = JSON.parse(await readFile(join(dirs.stateDir, 'history', newest), 'utf8'));
  const path = join(dirs.stateDir, 'history/files', `${files[0].sha256}.gz`);
  await writeFile(path, 'damaged');
  await cutOff('products.json')(dirs);
  const { address } = await startShop(t, dirs);
  assert.deepEqual(await answersOf(address), good);
  assert.equal(await readFile(`${path}.damaged`, 'utf8'), 'damaged');
});

test('a history of a newer version of Vitrine is an error that says so', async t => {
  const dirs = await newShop(t);
  await serveOnce(t, dirs);
  const path = join(dirs.stateDir, 'history', (await entriesOf(dirs))[0] ?? '');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"format": 1', '"format": 2'));
  await assert.rejects(startShop(t, dirs), {
    message: /-[0-9a-f]{12}\.json has format 2, written by Vitrine .*: use a newer Vitrine$/,
  });
});

test('vitrine history has an entry for each set that was served, and none for a start with the same one', async t => {
  const dirs = await newShop(t);
  const args = ['history', '--state-dir', dirs.stateDir];
  const lines = async (...more: string[]) => {
    const { stdout, stderr } = await startProcess(t, [...args, ...more]).exit;
    const shown = stdout.replaceAll(/ {2}since \S{20} {2}28 rows/g, '').split('\n');
    return { stdout, stderr, shown: shown.map(line => line.trimEnd()) };
  };
  assert.equal((await lines()).stdout, `no set has been served with ${dirs.stateDir}/history yet\n`);
  await serveOnce(t, dirs);
  await serveOnce(t, dirs);
  await replace('prices.csv', '19.99', '20.99')(dirs);
  await serveOnce(t, dirs);
  const [oldest, newest] = (await entriesOf(dirs)).map(name => name.slice(7, 19));
  assert.deepEqual((await lines()).shown, [`${newest}  served  1 price changed`, `${oldest}`, '']);
  const { list, held } = JSON.parse((await lines('--json')).stdout);
  assert.deepEqual(
    list.map(({ version, state, changes, files }: Record<string, string>) => [
      ...[version, state, changes, files?.length],
    ]),
    [
      [newest, 'served', '1 price changed', 6],
      [oldest, undefined, null, 6],
    ],
  );
  assert.equal(held, null);

  const history = join(dirs.stateDir, 'history');
  await writeInto(history, { pin: String(oldest?.slice(0, 6)), held: 'abcdef012345\n' });
  assert.deepEqual((await lines()).shown, [
    `abcdef012345  held back; to let it go live: vitrine publish abcdef012345 --state-dir ${dirs.stateDir}`,
    ...[`${newest}  served  1 price changed`, `${oldest}  pinned`, ''],
  ]);
  await rm(join(history, 'held'));
  await writeInto(history, { pin: '' });
  assert.match(String((await lines()).shown[0]), /^\w+ {2}pinned/);
  await writeInto(history, { pin: 'ffffff' });
  assert.equal((await lines()).stderr, 'version ffffff is pinned, but not in the history\n');
});
