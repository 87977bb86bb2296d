import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { exportedFile } from '../../src/client.ts';
import { ConfigurationsQuery, ListQuery, NewsQuery, PriceQuery } from '../../src/contract/queries.ts';
import { exportedParameters } from '../../src/export/exported-file.ts';
import { type Files, shopWith, writeInto } from '../support/catalogs.ts';
import { tableRows } from '../support/manual.ts';
import { filesIn, newSite, rulesOf, run } from './site.ts';

test('without single prices, an export has all prices in its lists alone', async t => {
  const site = await newSite(t);
  await run(site);
  const all = await filesIn(site.dir);
  await run(site, {}, ['--without-single-prices']);
  const fewer = await filesIn(site.dir);
  const isSame = ([path]: [string, Buffer]) => !/^api\/(recommend-config\/price\/|index\.json)/.test(path);
  assert.deepEqual([...fewer].filter(isSame), [...all].filter(isSame));
  assert.equal(all.size - fewer.size, 7);
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

test('an image whose name is too long for a file is missing', async t => {
  const img = `${'x'.repeat(256)}.png`;
  const news = [{ id: 1, title: 'Open', content: 'Hello', create_time: '2026-01-01', img }];
  const { code, stderr } = await run(await newSite(t, shopWith({ 'news.json': JSON.stringify(news) })));
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^1 image of news items not found, such as x+…\n$/);
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

const cases: [address: string, file: string][] = [
  ['/api/products', '/api/products.json'],
  ['/api/products?page=1&limit=20', '/api/products.json'],
  ['/api/products?limit=100&page=2', '/api/products/limit=100/page=2.json'],
  ['/api/news?include=img%2Ctype_id&limit=100', '/api/news/include=img,type_id/limit=100.json'],
  ['/api/news?include=type_id,img', '/api/news/include=img,type_id.json'],
  ['/api/news?type_id=', '/api/news.json'],
  ['/api/recommend-config?product_id=1&include_durations=false', '/api/recommend-config/product_id=1.json'],
  ['/api/news/12', '/api/news/12.json'],
  ['https://example.com/shop/api/news?page=2', 'https://example.com/shop/api/news/page=2.json'],
  // There is no such file, and no list in place of what was asked for.
  ['/api/news?keyword=caf%C3%A9%2F..&page=2', '/api/news/page=2/keyword=caf%C3%A9%2F...json'],
];

test('the exported file of an address has its parameters as folders, in one order and without defaults', () => {
  for (const [address, file] of cases) assert.equal(exportedFile(address), file);
});

test('the parameters of exported files have the defaults of the queries', () => {
  const schemas = [PriceQuery, ConfigurationsQuery, NewsQuery, ListQuery];
  const known = Object.fromEntries(schemas.flatMap(({ properties }) => Object.entries(properties)));
  for (const [name, fallback] of Object.entries(exportedParameters))
    assert.equal(String(known[name]?.default ?? ''), fallback, name);
  const others = Object.keys(known).filter(name => !(name in exportedParameters));
  assert.deepEqual(others.sort(), ['around', 'ids', 'keyword', 'since', 'sort', 'until']);
});

test('the manual says which file has the answer to which question', () => {
  const rows = tableRows('src/http/README.md', '| question | file of the export |');
  const pairs = rows.map(row =>
    Array.from(row.replaceAll(/\{\w+\}/g, '7').matchAll(/`([^`]+)`/g), ([, code = '']) => code),
  );
  const api = pairs.filter(([question]) => question?.startsWith('/api/') && question !== '/api/index.json');
  assert.equal(api.length, 6);
  for (const [question = '', file] of api) assert.equal(exportedFile(question), file, question);
});
