import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { kindTags } from '../../src/contract/webhook.ts';
import { historyPath } from '../../src/history/entries.ts';
import type { BeforeServed } from '../../src/live/going-live.ts';
import { openLiveCatalog } from '../../src/live/live.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { until } from '../support/until.ts';
import { startReceiver } from '../support/webhook/receiver.ts';
import { dataOf, openSender, scheduled, snapshotOf } from '../support/webhook/sender.ts';

const withPrice = (price: string) => ({
  ...scheduled,
  'prices.csv': String(scheduled['prices.csv']).replace('19.99', price),
});

test('a webhook is remembered before its set is served, and sent after', async t => {
  const receiver = await startReceiver(t);
  const [one, two] = [await snapshotOf(t, scheduled), await snapshotOf(t, withPrice('1'))];
  const { start, served, path } = await openSender(t, one, receiver.url);
  const { announce, notice, health } = await start();
  await until(t, async () => (health().delivered === 1 ? true : undefined));
  await announce(two, 'reload');
  assert.ok((await readFile(path, 'utf8')).includes(`"version":"${two.version}"`));
  receiver.answerWith(() => (served.set === two ? 204 : 500));
  // As a scheduled change does.
  notice('reload');
  assert.equal(health().waiting, 1);
  served.set = two;
  notice('reload');
  const [, last] = (await receiver.untilTaken(2)).map(dataOf);
  assert.deepEqual(
    [last?.version, last?.former_version, last?.tags],
    [two.version, one.version, ['product-1']],
  );
  assert.equal(receiver.received.length, 2);
  await until(t, async () => (health().waiting === 0 ? true : undefined));
});

test('a webhook whose set is gone with its process is sent, and the next one purges everything', async t => {
  const receiver = await startReceiver(t);
  const [one, two, three] = [
    await snapshotOf(t, scheduled),
    await snapshotOf(t, withPrice('1')),
    await snapshotOf(t, withPrice('2')),
  ];
  const { start, served } = await openSender(t, one, receiver.url);
  const { announce, health } = await start();
  // Until the sender has seen that it was taken: the next process would send it again.
  await until(t, async () => (health().delivered === 1 ? true : undefined));
  await announce(two, 'reload');
  served.set = three;
  await start();
  const told = (await receiver.untilTaken(3)).map(dataOf);
  assert.deepEqual(
    told.map(({ version }) => version),
    [one.version, two.version, three.version],
  );
  assert.deepEqual(told[2]?.tags, kindTags);
});

test('every set waits until its webhook is remembered, after a start, a change and a rollback', async t => {
  const catalogDir = await writeFiles(t, fixtureSet(1));
  const settings = settingsFrom({ catalogDir, stateDir: await writeFiles(t, {}), holdBack: 'off' });
  const calls: Parameters<BeforeServed>[] = [];
  let serve = () => {};
  const beforeServed: BeforeServed = (...call) => {
    calls.push(call);
    return new Promise(resolve => {
      serve = resolve;
    });
  };
  const log = { info() {}, warn() {}, error() {} };
  const live = openLiveCatalog(settings, { ...settings, beforeServed }, log);
  afterTest(t, () => live.close());
  const versions: string[] = [];
  /** Waits for the next set, which is served only afterwards. */
  const next = async (isRollback: boolean) => {
    const [set, is] = await until(t, async () => calls.shift());
    assert.equal(is, isRollback);
    assert.equal(live.snapshot()?.version, versions.at(-1));
    serve();
    await until(t, async () => (live.snapshot() === set ? true : undefined));
    versions.push(set.version);
  };
  await next(false);
  await live.loaded;
  await writeInto(catalogDir, fixtureSet(2));
  await next(false);
  await until(t, async () => (live.status().unkept === undefined ? true : undefined));
  await writeFile(join(historyPath(settings.stateDir), 'pin'), String(versions[0]));
  await next(true);
  assert.equal(versions[2], versions[0]);
});
