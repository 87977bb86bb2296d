import assert from 'node:assert/strict';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { request } from 'undici';
import { sample } from '../support/catalogs.ts';
import { entriesOf, healthOf, newShop, serveShop } from '../support/kept-shop.ts';
import { startProcess } from '../support/process.ts';
import { rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';

const VERSIONS = rounds(3, 500);
const range = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

/** More than 1,000 requests of the sample catalogs: all prices, and pages of configurations and news. */
function requestsOf(prices: string): string[] {
  const priceRows = prices
    .trim()
    .split('\n')
    .slice(1)
    .map(line => line.split(','));
  return [
    ...priceRows.map(
      ([, product, configuration, duration]) =>
        `/api/recommend-config/price?product_id=${product}&recommend_config_id=${configuration}&duration_id=${duration}`,
    ),
    ...range(5).flatMap(id =>
      range(20).map(limit => `/api/recommend-config?product_id=${id}&limit=${limit}&include_durations=true`),
    ),
    ...range(20).flatMap(limit => range(30).map(page => `/api/news?limit=${limit}&page=${page}`)),
    ...range(6).flatMap(type => range(10).map(limit => `/api/news?type_id=${type}&limit=${limit}`)),
    ...['snapshots', 'storage', 'price', 'a'].map(word => `/api/news?keyword=${word}&limit=100`),
    ...['/api/products', '/api/news-types', '/overview', '/overview/news'],
  ];
}

test(`${VERSIONS} versions later, a rollback brings back each answer byte for byte`, {
  timeout: 600_000,
}, async t => {
  const dirs = await newShop(t, {});
  await cp(sample.catalogDir, dirs.catalogDir, { recursive: true });
  const path = join(dirs.catalogDir, 'prices.csv');
  const prices = await readFile(path, 'utf8');
  const requests = requestsOf(prices);
  assert.ok(requests.length > 1_000, String(requests.length));
  const { listening } = serveShop(t, dirs, { imagesDir: sample.imagesDir });
  const address = await listening();
  const record = async () => {
    const answers: string[] = [];
    for (const url of requests) {
      const { statusCode, headers, body } = await request(address + url);
      answers.push(`${url} ${statusCode} ${headers['catalog-version']} ${headers.etag} ${await body.text()}`);
    }
    return answers;
  };
  const versionOf = async () => String((await healthOf(address)).catalogs?.version);
  const first = await versionOf();
  const before = await record();
  for (const round of range(VERSIONS)) {
    await writeFile(path, prices.replace(/,19\.9\d*\n/, `,${20 + round}\n`));
    await until(t, async () => ((await entriesOf(dirs)).length > round ? true : undefined));
  }
  assert.notEqual(await versionOf(), first);
  const started = performance.now();
  const args = ['rollback', first.slice(0, 8), '--state-dir', dirs.stateDir];
  assert.equal((await startProcess(t, args).exit).code, 0);
  await until(t, async () => ((await versionOf()) === first ? true : undefined));
  t.diagnostic(`live ${Math.round(performance.now() - started)} ms after the command was started`);
  assert.deepEqual(await record(), before);
});
