import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import type { Changes } from '../src/contract/changes.ts';
import { catalogReasons } from '../src/http/endpoints/health.ts';
import { nothingServed } from '../src/live/status.ts';
import { shop, writeInto } from './support/catalogs.ts';
import {
  answersOf,
  entriesOf,
  healthOf,
  newShop,
  type ShopDirs,
  serveOnce,
  serves,
  startShop,
} from './support/kept-shop.ts';
import { until } from './support/until.ts';

const product = (name: string) => ({
  'products.json': (shop['products.json'] as { id: number }[]).map(row =>
    row.id === 1 ? { ...row, name } : row,
  ),
});

/** A shop that has served the sets `one` and `two`, and their versions. */
async function shopOfTwo(t: TestContext) {
  const dirs = await newShop(t, { ...shop, ...product('one') });
  const one = await serveOnce(t, dirs);
  await writeInto(dirs.catalogDir, product('two'));
  const two = await serveOnce(t, dirs);
  return { dirs, answers: { one, two }, versions: { one: versionOf(one), two: versionOf(two) } };
}

const versionOf = (answers: string[]) => String(answers[0]?.split(' ')[1]);
const pin = ({ stateDir }: ShopDirs, version: string) =>
  writeInto(join(stateDir, 'history'), { pin: `${version}\n` });
const unpin = ({ stateDir }: ShopDirs) => rm(join(stateDir, 'history/pin'));
/** The versions that were served, oldest first. */
const served = async (dirs: ShopDirs) => (await entriesOf(dirs)).map(name => name.slice(7, 19));

test('a pinned version is served byte for byte as it was, and changed files are not loaded until it is unpinned', async t => {
  const { dirs, answers, versions } = await shopOfTwo(t);
  const { address } = await startShop(t, dirs);
  await pin(dirs, versions.one.slice(0, 6));
  const { status, pinned } = await serves(t, address, versions.one);
  assert.deepEqual(await answersOf(address), answers.one);
  assert.deepEqual([status, pinned?.version], ['ok', versions.one]);
  assert.ok(Math.abs(Date.parse(pinned?.since ?? '') - Date.now()) < 60_000);
  const { body } = await request(`${address}/changes`);
  const { from, to, pagination } = ((await body.json()) as { data: Changes }).data;
  assert.deepEqual([from, to, pagination.total], [versions.two, versions.one, 1]);

  await writeInto(dirs.catalogDir, product('three'));
  await pin(dirs, versions.two);
  await serves(t, address, versions.two);
  await unpin(dirs);
  await until(t, async () => ((await answersOf(address))[0]?.includes('"three"') ? true : undefined));
  assert.equal((await healthOf(address)).pinned, null);
  assert.deepEqual((await served(dirs)).slice(2, 4), [versions.one, versions.two]);
});

test('a pin holds over restarts, whatever becomes of the files', async t => {
  const { dirs, answers, versions } = await shopOfTwo(t);
  await pin(dirs, versions.one);
  for (const change of [product('three'), { 'products.json': '[' }]) {
    await writeInto(dirs.catalogDir, change);
    const { address, close } = await startShop(t, dirs);
    assert.deepEqual(await answersOf(address), answers.one);
    assert.equal((await healthOf(address)).pinned?.version, versions.one);
    await close();
  }
  await rm(dirs.catalogDir, { recursive: true });
  const { address } = await startShop(t, dirs);
  assert.deepEqual(await answersOf(address), answers.one);
  assert.deepEqual(await served(dirs), [versions.one, versions.two, versions.one]);
  await writeInto(dirs.catalogDir, { ...shop, ...product('two') });
  await unpin(dirs);
  assert.equal((await serves(t, address, versions.two)).pinned, null);
});

test('a pin beside the catalogs pins all services that share them; that of the history comes first', async t => {
  const { dirs, versions } = await shopOfTwo(t);
  const replica = { ...(await newShop(t)), catalogDir: dirs.catalogDir };
  await writeInto(dirs.catalogDir, product('one'));
  await serveOnce(t, replica);
  await writeInto(dirs.catalogDir, product('two'));
  const { address: own } = await startShop(t, dirs);
  const { address: others } = await startShop(t, replica);
  const allServe = (version: string) =>
    Promise.all([own, others].map(address => serves(t, address, version)));
  await allServe(versions.two);
  await writeInto(dirs.catalogDir, { pin: versions.one });
  for (const { pinned } of await allServe(versions.one)) assert.equal(pinned?.version, versions.one);
  await pin(dirs, versions.two);
  await serves(t, own, versions.two);
  await unpin(dirs);
  await allServe(versions.one);
  await rm(join(dirs.catalogDir, 'pin'));
  await allServe(versions.two);
});

test('an empty pin keeps what is served, also over a restart, until it is deleted', async t => {
  const { dirs, answers } = await shopOfTwo(t);
  const first = await startShop(t, dirs);
  await writeInto(dirs.catalogDir, { pin: '', ...product('three') });
  await until(t, async () => (await healthOf(first.address)).pinned ?? undefined);
  await first.close();
  const { address } = await startShop(t, dirs);
  assert.deepEqual(await answersOf(address), answers.two);
  await rm(join(dirs.catalogDir, 'pin'));
  await until(t, async () => ((await answersOf(address))[0]?.includes('"three"') ? true : undefined));
});

test('a version that is not in the history is an error that names the nearest, and what was served stays', async t => {
  const { dirs, answers, versions } = await shopOfTwo(t);
  const wrong = `${versions.one.slice(0, 11)}${versions.one.endsWith('0') ? '1' : '0'}`;
  await writeInto(dirs.catalogDir, product('three'));
  await pin(dirs, wrong);
  const { address } = await startShop(t, dirs);
  assert.deepEqual(await answersOf(address), answers.two);
  const { status, reasons, pinned } = await healthOf(address);
  assert.deepEqual([status, pinned?.version], ['degraded', wrong]);
  assert.deepEqual(reasons, [
    `version ${wrong} is pinned, but cannot be served: version ${wrong} is not in the history: did you mean ${versions.one}?`,
  ]);
  await pin(dirs, versions.one);
  assert.equal((await serves(t, address, versions.one)).status, 'ok');
});

test('without a history, the files are served if they have the pinned version, and nothing otherwise', async t => {
  const dirs = await newShop(t);
  const answers = await serveOnce(t, dirs);
  const version = versionOf(answers);
  const startPinned = async () => {
    await rm(dirs.stateDir, { recursive: true });
    await pin(dirs, version);
    return startShop(t, dirs);
  };
  const same = await startPinned();
  assert.deepEqual(await answersOf(same.address), answers);
  await same.close();
  await writeInto(dirs.catalogDir, product('two'));
  const { address } = await startPinned();
  const { reasons, catalogs } = await healthOf(address);
  assert.equal(catalogs, null);
  assert.deepEqual(reasons, [
    'no catalogs have been loaded yet',
    `version ${version} is pinned, but cannot be served: version ${version} is not in the history: no set has been served with this STATE_DIR yet`,
  ]);
  await unpin(dirs);
  await until(t, async () => ((await answersOf(address))[0]?.startsWith('200 ') ? true : undefined));
});

test('after a day, a pin makes the service degraded', () => {
  const pinned = { version: 'abcdef012345', since: 1_767_225_600, fault: undefined };
  const reasonsAt = (now: number) =>
    catalogReasons({ ...nothingServed, pinned }, now).filter(reason => /pinned/.test(reason));
  assert.deepEqual(reasonsAt(1_767_225_600 + 86_399), []);
  assert.deepEqual(reasonsAt(1_767_225_600 + 86_400), [
    'version abcdef012345 has been pinned since 2026-01-01T00:00:00Z: changed files are not loaded',
  ]);
});
