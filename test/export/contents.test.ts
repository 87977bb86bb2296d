import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Files, writeInto } from '../support/catalogs.ts';
import { filesIn, newSite, rulesOf, run } from '../support/exported.ts';

test('without single prices, an export has all prices in its lists alone', async t => {
  const site = await newSite(t);
  await run(site);
  const all = await filesIn(site.dir);
  await run(site, {}, ['--without-single-prices']);
  const fewer = await filesIn(site.dir);
  const isPrice = (path: string) => path.startsWith('api/recommend-config/price/');
  const expected = [...all.keys()].filter(path => !isPrice(path));
  assert.deepEqual([...fewer.keys()], expected);
  assert.equal(all.size - fewer.size, 7);
  const { data } = JSON.parse(
    String(fewer.get('api/recommend-config/product_id=1/include_durations=true.json')),
  );
  assert.deepEqual(
    data.list.map(({ durations }: { durations: object[] }) => durations.length),
    [1, 4, 1],
  );
});

test('an export shows the stored read counts, or those of the catalogs, and changes no file in the state directory', async t => {
  const noImage = /^1 image of news items not found, such as launch\.png\n$/;
  const broken = /^the export uses only the read counts in the catalogs: .*read-counts\.json is broken.*\n/;
  const noRedis = /^the export uses only the read counts in the catalogs: Redis failed: .*\n/;
  for (const [state, read, warning, ...flags] of [
    [{}, 100, noImage],
    [{ 'read-counts.json': '{"format": 1, "counts": {"1": 500}}' }, 500, noImage],
    [{ 'read-counts.json': '{"counts": {"1": "x"' }, 100, broken],
    [{}, 100, noRedis, '--redis-url', 'redis://127.0.0.1:1'],
  ] as [Files, number, RegExp, ...string[]][]) {
    const site = await newSite(t);
    await writeInto(site.stateDir, state);
    const before = await filesIn(site.stateDir);
    const { code, stderr } = await run(site, {}, flags);
    assert.equal(code, 0);
    assert.match(stderr, warning);
    const detail = await readFile(join(site.dir, 'api/news/1.json'), 'utf8');
    assert.equal(JSON.parse(detail).data.read, read);
    assert.deepEqual(await filesIn(site.stateDir), before);
  }
});

test('limits, logs and pins of the service do not apply to an export', async t => {
  const site = await newSite(t);
  await writeInto(site.catalogDir, { pin: 'c0ffee' });
  const { code, stdout } = await run(site, { rateLimit: 1, maxConnections: 1 }, ['--log-level', 'debug']);
  assert.deepEqual([code, stdout.split('\n').length], [0, 3]);
});

test('_headers allows the origin of CORS_ORIGIN, unless there are several', async t => {
  for (const [corsOrigin, allowed] of [
    ['*', '*'],
    ['https://example.com', 'https://example.com'],
    ['https://example.com,https://example.org', undefined],
    ['off', undefined],
  ] as const) {
    const site = await newSite(t);
    const { stderr } = await run(site, {}, ['--cors-origin', corsOrigin]);
    assert.equal(stderr.includes('several origins'), corsOrigin.includes(','), stderr);
    const rules = rulesOf(await readFile(join(site.dir, '_headers'), 'utf8'));
    assert.equal(rules.get('/api/*')?.get('access-control-allow-origin'), allowed);
  }
});
