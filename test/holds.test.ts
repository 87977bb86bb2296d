import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { writeInto } from './support/catalogs.ts';
import { drastic } from './support/http/histories.ts';
import { bearer, previewToken } from './support/http/previews.ts';
import { answersOf, healthOf, newShop, runOn, serveOnce, serves, startShop } from './support/kept-shop.ts';
import { until } from './support/until.ts';

/** Resolves to the health of the service once it holds a set back. */
const holds = (t: TestContext, address: string) =>
  until(t, async () => {
    const health = await healthOf(address);
    return health.held ? { ...health, held: health.held } : undefined;
  });

test('nothing that is held back goes live by a restart, but by vitrine publish, also in between', async t => {
  const dirs = await newShop(t);
  const answers = await serveOnce(t, dirs);
  await writeInto(dirs.catalogDir, drastic);
  for (let round = 0; round < 2; round += 1) {
    const { address, close } = await startShop(t, dirs);
    assert.deepEqual(await answersOf(address), answers);
    await holds(t, address);
    await close();
  }
  const message = /^LOST_ROWS 6 of 7 prices would .*\n(.*\n)*held back: version /;
  await assert.rejects(startShop(t, dirs, { strict: true }), { message });

  const wrong = await runOn(t, dirs, 'publish', 'abcdef');
  assert.equal(wrong.code, 1);
  const [, version = ''] =
    /^version abcdef is not held back, but ([0-9a-f]{12}) is\n$/.exec(wrong.stderr) ??
    assert.fail(wrong.stderr);
  const { code, stdout } = await runOn(t, dirs, 'publish', version.slice(0, 6));
  assert.deepEqual([code, stdout], [0, `version ${version} is confirmed: the service serves it\n`]);
  const { address } = await startShop(t, dirs);
  const health = await healthOf(address);
  assert.deepEqual([health.status, health.catalogs?.version, health.held], ['ok', version, null]);
  assert.equal((await runOn(t, dirs, 'publish', version)).stderr, 'no version is held back\n');
});

test('rollback pins a version of the history, which lets nothing be held, and unpin leads back to the files', async t => {
  const dirs = await newShop(t);
  const none = await runOn(t, dirs, 'rollback', 'abcdef');
  assert.match(none.stderr, /^version abcdef is not in the history: no set has been served /);
  const { address, version } = await startShop(t, dirs);
  const before = version();
  await writeInto(dirs.catalogDir, drastic);
  await holds(t, address);
  const typo = `${before.slice(0, 11)}${before.endsWith('0') ? 1 : 0}`;
  const { code, stderr } = await runOn(t, dirs, 'rollback', typo);
  assert.deepEqual([code, stderr], [1, `version ${typo} is not in the history: did you mean ${before}?\n`]);
  const { stdout } = await runOn(t, dirs, 'rollback', before.slice(0, 6));
  assert.equal(
    stdout,
    `version ${before} is pinned: the service serves it, and nothing else until you run 'vitrine unpin --catalog-dir ${dirs.catalogDir}'\n`,
  );
  const { held } = await until(t, async () => {
    const health = await healthOf(address);
    return health.pinned?.version === before ? health : undefined;
  });
  assert.equal(held, null);
  const unpinned = 'nothing is pinned now: the service loads the catalog files again\n';
  assert.equal((await runOn(t, dirs, 'unpin')).stdout, unpinned);
  await holds(t, address);
  assert.equal((await runOn(t, dirs, 'unpin')).stdout, 'nothing is pinned\n');
  await writeInto(dirs.catalogDir, { pin: before });
  const unpin = await runOn(t, dirs, 'unpin');
  const still = `${dirs.catalogDir}/pin still pins version ${before}, for every service of these catalogs: delete that file\n`;
  assert.deepEqual([unpin.code, unpin.stderr], [1, still]);
});

test('a drastic change waits until a file publish beside the catalogs names it; /preview/held answers from it, and counts no read', async t => {
  const dirs = await newShop(t);
  const { address, version: served } = await startShop(t, dirs, { previewToken });
  const answers = await answersOf(address);
  const ask = async (path: string, token = bearer) => {
    const response = await request(`${address}${path}`, { headers: token });
    return { status: response.statusCode, headers: response.headers, text: await response.body.text() };
  };
  const nothing = await ask('/preview/held/api/news');
  assert.equal(nothing.status, 404);
  assert.match(nothing.text, /"message":"no change of the catalogs is held back".*"NOTHING_HELD"/);
  await writeInto(dirs.catalogDir, drastic);
  const { status, reasons, catalogs, last_attempt, held } = await holds(t, address);
  assert.deepEqual([status, catalogs?.version], ['degraded', served()]);
  assert.deepEqual(reasons, [
    `version ${held.version} is held back: to let it go live, write ${held.version} into a file named publish beside the catalogs, or run 'vitrine publish ${held.version}'`,
  ]);
  assert.deepEqual([last_attempt?.outcome, last_attempt?.changes], ['held', '6 prices removed']);
  const message = '6 of 7 prices would disappear: save the whole file again';
  assert.deepEqual(held.reasons, [{ code: 'LOST_ROWS', message }]);
  assert.deepEqual(await answersOf(address), answers);
  const hidden = await ask('/preview/held/api/news', { authorization: `Bearer ${previewToken}x` });
  assert.equal(hidden.text, (await ask('/nowhere')).text);
  const previews = await answersOf(`${address}/preview/held`, bearer);
  const list = await ask('/preview/held/api/recommend-config?product_id=1&include_durations=true');
  const { 'catalog-version': version, 'cache-control': caching } = list.headers;
  assert.deepEqual([list.status, version, caching], [200, held.version, 'no-store']);
  assert.doesNotMatch(list.text, /455\.47/);
  const readOf = async (path: string) => JSON.parse((await ask(path)).text).data.read;
  assert.equal(await readOf('/preview/held/api/news/1'), 100);
  await writeInto(dirs.catalogDir, { publish: held.version.slice(0, 6) });
  const after = await serves(t, address, held.version);
  assert.deepEqual([after.status, after.held], ['ok', null]);
  assert.deepEqual(await answersOf(address), previews);
  assert.equal(await readOf('/api/news/1'), 101);
});
