import assert from 'node:assert/strict';
import { test } from 'node:test';
import { freePort } from '../support/programs.ts';
import { startVarnish } from '../support/proxies.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';

const COMBINATIONS = 40;
const CHANGES = 5;
/** In seconds: a cache may be a second late, and a busy machine hands it an answer late. */
const LATE = 2;

test('behind Varnish, no price is stale over 200 scheduled changes, and none comes early', {
  skip: skipWithout('varnishd'),
}, async t => {
  const port = await freePort();
  const varnish = await startVarnish(t, port);
  const now = () => Date.now() / 1000;
  const begin = Math.ceil(now()) + 10;
  const ids = Array.from({ length: COMBINATIONS }, (_, index) => index + 1);
  const dates = Array.from({ length: CHANGES }, (_, index) => begin + 4 * index);
  const files = {
    'products.json': [{ id: 1, name: 'P' }],
    'configurations.json': ids.map(id => ({ id, product_id: 1, name: `C${id}`, cpu: 1, memory: 1 })),
    'prices.json': ids.flatMap(rel_id =>
      [0, ...dates].map((valid_from, price) => {
        const combination = { product_id: 1, rel_id, duration_id: 1 };
        return { ...combination, id: rel_id * 100 + price, price, valid_from };
      }),
    ),
  };
  const service = await startService(t, files, { cacheMaxAge: 3600 }, now);
  await service.app.listen({ port, host: '127.0.0.1' });
  const comeBy = (time: number) => dates.filter(date => date <= time).length;
  const counts = { asked: 0, stale: 0, early: 0 };
  const seen = new Set<string>();
  const ask = async (url: string) => {
    const least = comeBy(now() - LATE);
    const text = await (await fetch(varnish + url)).text();
    const most = comeBy(now());
    counts.asked += 1;
    for (const [, price] of text.matchAll(/"price":(\d+)/g)) {
      if (Number(price) < least) counts.stale += 1;
      if (Number(price) > most) counts.early += 1;
      seen.add(`${url} ${price}`);
    }
  };
  while (now() < begin + 4 * CHANGES) {
    await ask('/api/recommend-config?product_id=1&include_durations=true&limit=100');
    for (const id of ids)
      await ask(`/api/recommend-config/price?product_id=1&recommend_config_id=${id}&duration_id=1`);
  }
  const metrics = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
  const ofPrices = metrics.matchAll(/^http_request_duration_seconds_count\{.*recommend-config.*\} (\d+)$/gm);
  const answered = Array.from(ofPrices, ([, count]) => Number(count)).reduce((sum, count) => sum + count, 0);
  t.diagnostic(`${counts.asked} requests, ${answered} of them to the service`);
  assert.deepEqual({ ...counts, asked: 0 }, { asked: 0, stale: 0, early: 0 });
  assert.equal(seen.size, (COMBINATIONS + 1) * (CHANGES + 1));
  assert.ok(answered > 0 && answered < counts.asked / 2, 'most answers come from the cache');
});
