import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { breakages, cutOff, replace } from './support/catalog/breakages.ts';
import { shop, writeInto } from './support/catalogs.ts';
import { answersOf, entriesOf, healthOf, newShop, runOn, serveOnce, startShop } from './support/kept-shop.ts';
import { until } from './support/until.ts';

const SERVED =
  /^the last change of the catalogs was refused, and the set of \d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ is served$/;
const HELD = /^version [0-9a-f]{12} is held back: to let it go live, /;

for (const [what, files, code, breakIt] of breakages)
  test(`a start with broken catalogs serves the last good set, and says so: ${what}`, async t => {
    const dirs = await newShop(t, files);
    const good = await serveOnce(t, dirs);
    await breakIt(dirs);
    const { address, version } = await startShop(t, dirs);
    assert.deepEqual(await answersOf(address), good);
    const { status, reasons, catalogs, held, last_attempt, loading } = await healthOf(address);
    assert.deepEqual([status, loading, catalogs?.version], ['degraded', null, version()]);
    assert.match(reasons.join(), held ? HELD : SERVED);
    assert.equal(last_attempt?.outcome, held ? 'held' : 'failed');
    const codes = (held?.reasons ?? last_attempt?.problems ?? []).map(({ code }) => code);
    assert.ok(
      codes.some(found => found === code),
      codes.join(),
    );
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

test('vitrine history has an entry for each set that was served, and none for a start with the same one', async t => {
  const dirs = await newShop(t);
  const lines = async (...more: string[]) => {
    const { stdout, stderr } = await runOn(t, dirs, 'history', ...more);
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
  const shown = list.map(({ version, state, changes, files }: Record<string, string>) =>
    [version, state, changes, files?.length].join(),
  );
  assert.deepEqual([shown, held], [[`${newest},served,1 price changed,6`, `${oldest},,,6`], null]);

  const history = join(dirs.stateDir, 'history');
  await writeInto(history, { pin: String(oldest?.slice(0, 6)), held: 'abcdef012345\n' });
  assert.deepEqual((await lines()).shown, [
    `abcdef012345  held back; to let it go live: vitrine publish abcdef012345 --catalog-dir ${dirs.catalogDir}`,
    ...[`${newest}  served  1 price changed`, `${oldest}  pinned`, ''],
  ]);
  await rm(join(history, 'held'));
  await writeInto(history, { pin: '' });
  assert.match(String((await lines()).shown[0]), /^\w+ {2}pinned/);
  await writeInto(history, { pin: 'ffffff' });
  assert.equal((await lines()).stderr, 'version ffffff is pinned, but not in the history\n');
});
