import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { shop, writeInto } from '../support/catalogs.ts';
import { healthOf, newShop, serveShop } from '../support/kept-shop.ts';
import { seeded } from '../support/replicas/numbers.ts';
import { rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { SECRET, startReceiver } from '../support/webhook/receiver.ts';

/** A change is every one of these in turn. */
const CHANGES_PER_KILL = 2;
/** The longest pause before a kill, in ms: by then, a change is read, remembered, and sent. */
const LONGEST_PAUSE_MS = 900;

/**
 * Changes a shop, and kills the process at a moment that nobody knows, as often as `kills`, while every third webhook is
 * refused. After each kill, asserts that the next process announces what it serves, and in the end that versions were
 * announced in the order in which they were served.
 */
async function killWhileTelling(t: TestContext, kills: number, random: () => number) {
  const receiver = await startReceiver(t);
  receiver.answerWith(attempt => (attempt % 3 === 2 ? 500 : 204));
  const dirs = await newShop(t);
  let change = 0;
  const next = () => {
    change += 1;
    const prices = String(shop['prices.csv']).replace('19.99', String(100 + change));
    const soon = new Date((Math.ceil(Date.now() / 1000) + 1) * 1000).toISOString().slice(0, 19);
    const item = { id: 1_000, title: `Change ${change}`, content: 'text', create_time: '2024-01-01' };
    return writeInto(dirs.catalogDir, {
      'prices.csv': prices,
      'news.json': [...(shop['news.json'] as object[]), { ...item, publish_time: soon }],
    });
  };
  const settings = { webhookUrl: receiver.url, webhookSecret: SECRET, holdBack: 'off' } as const;
  /** The versions that were seen to be served, in order. */
  const served: string[] = [];
  const see = async (address: string) => {
    const version = (await healthOf(address)).catalogs?.version;
    if (version !== undefined && version !== served.at(-1)) served.push(version);
  };
  /** Until the final state of the kill before is announced. */
  const untilTold = (address: string) =>
    until(t, async () => {
      const { webhook, catalogs } = await healthOf(address);
      const isTold = receiver.taken().at(-1)?.payload.data.version === catalogs?.version;
      return webhook?.waiting === 0 && isTold ? true : undefined;
    });
  for (let kill = 0; kill < kills; kill += 1) {
    const service = serveShop(t, dirs, settings);
    const address = await service.listening();
    await see(address);
    await untilTold(address);
    for (let index = 0; index < CHANGES_PER_KILL; index += 1) {
      await next();
      const end = performance.now() + random() * LONGEST_PAUSE_MS;
      while (performance.now() < end) {
        await see(address);
        await delay(5);
      }
    }
    await service.kill();
  }
  const last = serveShop(t, dirs, settings);
  const address = await last.listening();
  await see(address);
  await untilTold(address);
  await last.kill();

  const taken = receiver.taken();
  const bodies = new Map<string, string>();
  for (const { id, body } of receiver.received) {
    assert.equal(bodies.get(id) ?? body, body, 'a repeated webhook is the same');
    bodies.set(id, body);
  }
  assert.deepEqual(receiver.faults, []);
  // What is served after each start is announced before the next kill or after it.
  const told = taken.map(({ payload }) => payload.data.version);
  const order = told.map(version => served.indexOf(String(version))).filter(place => place >= 0);
  const sorted = order.toSorted((one, other) => one - other);
  assert.deepEqual(order, sorted, 'in order');
  assert.equal(told.at(-1), served.at(-1), 'the final state');
  return {
    taken: taken.length,
    repeated: taken.length - new Set(taken.map(({ id }) => id)).size,
    served: served.length,
  };
}

const KILLS = rounds(5, 50);

test(`through ${KILLS} kills, each final state is announced at least once, in order`, {
  timeout: 600_000,
}, async t => {
  const { taken, repeated, served } = await killWhileTelling(t, KILLS, seeded(23));
  t.diagnostic(`${served} sets seen to be served, ${taken} webhooks taken, ${repeated} of them again`);
});
