import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { seededRandom } from '../../scripts/bench/catalog.ts';
import { drastic, priced, shop, writeInto } from '../support/catalogs.ts';
import { healthOf, newShop, serveShop } from '../support/process.ts';
import { soakRounds } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const KILLS = soakRounds(60, 600);
const SEED = 1;
/** A drastic set lacks this price, which each good one changes. */
const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=4';

test(`after each of ${KILLS} kills, a start serves an accepted set, and every read that was saved`, async t => {
  const random = seededRandom(SEED);
  const below = (limit: number) => Math.floor(random() * limit);
  const dirs = await newShop(t);
  const { catalogDir, stateDir } = dirs;
  const pin = join(stateDir, 'history/pin');
  /** The prices of the sets that were accepted, and the versions that were served. */
  const prices = [19.99];
  const versions = new Set<string>();
  const saveGood = async () => {
    prices.push((2000 + prices.length) / 100);
    await writeInto(catalogDir, { ...shop, ...priced(String(prices.at(-1))) });
  };
  const edits: (() => Promise<unknown>)[] = [
    saveGood,
    saveGood,
    () => writeInto(catalogDir, { 'prices.csv': 'id\n' }),
    () => writeInto(catalogDir, drastic),
    () => writeFile(join(catalogDir, 'prices.csv'), 'id,product_id,rel_id,duration_id,price\n101,1,'),
    () => rm(join(catalogDir, 'products.json'), { force: true }),
    () => writeFile(pin, [...versions][below(versions.size)] ?? ''),
    () => rm(pin, { force: true }),
  ];
  /** The last number of reads that an answer showed, and the last that was saved for sure. */
  let [shown, saved] = [100, 100];
  const readsIn = async (file: string): Promise<number> =>
    JSON.parse(await readFile(join(stateDir, file), 'utf8')).counts[1] ?? 100;
  const start = async (isKilledAtOnce = false) => {
    const { child, exit, listening } = serveShop(t, dirs, { flushIntervalMs: 50, drainMs: 1 });
    const address = isKilledAtOnce ? undefined : await listening();
    const ask = async (path: string) => {
      const { statusCode, body } = await request(`${address}${path}`);
      const text = await body.text();
      assert.equal(statusCode, 200, text);
      return JSON.parse(text).data;
    };
    return {
      address,
      async look() {
        const { price } = await ask(PRICE);
        assert.ok(prices.includes(price), `${price} was never accepted`);
        const { catalogs, reads } = await healthOf(String(address));
        if (catalogs) versions.add(catalogs.version);
        if (reads.unsaved === 0) saved = shown;
        return price;
      },
      async read() {
        const { read } = await ask('/api/news/1');
        assert.equal(read, shown + 1);
        shown = read;
      },
      async end(signal: NodeJS.Signals) {
        if (isKilledAtOnce) child.stdout.once('data', () => child.kill(signal));
        else child.kill(signal);
        return (await exit).code;
      },
    };
  };
  for (let kill = 1; kill <= KILLS; kill += 1) {
    const service = await start(below(5) === 0);
    for (let answers = below(300); answers > 0 && service.address; answers -= 1) {
      if (below(30) === 0) await edits[below(edits.length)]?.();
      await (below(3) === 0 ? service.look() : service.read());
    }
    // The answer to one read may not arrive.
    const last = service.address && service.read().catch(() => {});
    await service.end('SIGKILL');
    await last;
    const counted = await readsIn('read-counts.json')
      .catch(() => readsIn('read-counts.json.prev'))
      .catch(() => 100);
    assert.ok(counted >= saved && counted <= shown + 1, `kill ${kill}: ${saved} to ${shown}, not ${counted}`);
    shown = counted;
  }
  await rm(pin, { force: true });
  await saveGood();
  const service = await start();
  await until(t, async () => (await service.look()) === prices.at(-1));
  assert.equal(await service.end('SIGTERM'), 0);
  assert.equal(await readsIn('read-counts.json'), shown);
});
