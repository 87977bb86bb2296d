import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import { afterTest } from './support/after-test.ts';
import { type Files, shop, shopWith, writeFiles } from './support/catalogs.ts';
import { startProcess } from './support/process.ts';
import { startService } from './support/service.ts';

const prices = String(shop['prices.csv']);
const configurations = String(shop['configurations.csv']);
const news = shop['news.json'] as object[];

/** Serves the shop under /shop. Returns its address, and what counts its reads. */
async function serveShop(t: TestContext) {
  const { listen, ask, services } = await startService(t, shop, { basePath: '/shop' });
  const version = services.catalog.snapshot()?.version;
  return { url: `http://127.0.0.1:${await listen()}/shop`, ask, version };
}

async function check(t: TestContext, files: Files, ...args: string[]) {
  const dir = await writeFiles(t, files);
  const exit = await startProcess(t, ['check', dir, '--images-dir', dir, ...args]).exit;
  return { dir, ...exit };
}

/** The output after the report. */
function comparisonIn(stdout: string): string {
  return stdout.split('\n\n').slice(1).join('\n\n');
}

test('check --against shows what would change for visitors, and counts no reads', async t => {
  const { url, ask, version } = await serveShop(t);
  const same = await check(t, shop, '--against', `${url}/`);
  assert.equal(same.code, 0);
  assert.equal(
    comparisonIn(same.stdout),
    `${url} (${version}) → ${same.dir} (${version}): nothing changed\n`,
  );

  const edited = await check(
    t,
    shopWith({
      'prices.csv': prices.replace('19.99', '24.99').replace('107,1,14,2,1', '107,1,14,2,3'),
      'configurations.csv': configurations.replace('13,1,Large,8,32768,20,no', '13,1,Large,8,32768,20,yes'),
      'news.json': [
        ...news.slice(1),
        { id: 8, title: 'Soon', content: 'A', create_time: '2025-01-01', publish_time: '2999-01-01' },
      ],
    }),
    '--against',
    url,
  );
  assert.equal(edited.code, 0, edited.stdout + edited.stderr);
  const [title, ...lines] = comparisonIn(edited.stdout).split('\n');
  assert.match(
    String(title),
    /: 1 configuration removed, 1 price removed, 1 price changed, 1 news item removed$/,
  );
  assert.deepEqual(lines, [
    '',
    'configurations',
    '  removed  13 "Large"',
    '',
    'prices',
    '  changed  product 1, configuration 11, duration 4  price 19.99 → 24.99 (+25.01 %)',
    '  removed  product 1, configuration 13, duration 2  0.00595',
    '',
    'news',
    '  removed  1 "We are open"',
    '',
  ]);
  assert.equal((await ask('/shop/api/news/1')).data.read, 101);
});

test('check --against --json adds the changes to the report', async t => {
  const { url, version } = await serveShop(t);
  const files = shopWith({
    'news_types.json': [
      { id: 1, name: 'News' },
      { id: 2, name: 'Maintenance' },
    ],
  });
  const { code, stdout } = await check(t, files, '--json', '--against', url);
  assert.equal(code, 0);
  const { ok, against } = JSON.parse(stdout);
  assert.equal(ok, true);
  assert.deepEqual([against.url, against.version, against.summary], [url, version, '1 news type changed']);
  assert.deepEqual(against.changes, [
    {
      catalog: 'news_types',
      change: 'changed',
      key: { id: 1 },
      columns: [{ column: 'name', from: 'Announcements', to: 'News' }],
    },
  ]);
});

test('check --against reports errors of the files alone', async t => {
  const { code, stdout } = await check(t, { ...shop, 'news.json': '[' }, '--against', 'http://127.0.0.1:1');
  assert.equal(code, 1);
  assert.match(stdout, /\nrefused: 1 error/);
});

/** Answers everything with this text, and with versions in turn. */
async function answerAll(t: TestContext, text: string, versions = ['abc']): Promise<string> {
  let answers = 0;
  const server = createServer((_request, response) => {
    response.setHeader('catalog-version', String(versions[answers % versions.length]));
    answers += 1;
    response.end(text);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterTest(t, () => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

test('a service that cannot be asked is one sentence', async t => {
  const page = await answerAll(t, '<html>');
  const list = [{ id: 1, name: 7 }];
  const other = await answerAll(
    t,
    JSON.stringify({ success: true, data: { list, pagination: { current_page: 1, total: 1 } } }),
  );
  const empty = { success: true, data: { list: [], pagination: { current_page: 1, total: 0 } } };
  const reloading = await answerAll(t, JSON.stringify(empty), ['abc', 'def']);
  for (const [url, sentence] of [
    ['http://127.0.0.1:1', /^cannot compare with http:\/\/127\.0\.0\.1:1: \S.*\n$/],
    [
      page,
      /^cannot compare with .*: http:\S+\/api\/products\?page=1&limit=100 answered 200 without an envelope\n$/,
    ],
    [other, /^cannot compare with .*: its products are not those of a Vitrine service\n$/],
    [reloading, /^cannot compare with .*: it loaded other catalogs meanwhile; try again\n$/],
  ] as const) {
    const { code, stderr } = await check(t, shop, '--against', url);
    assert.equal(code, 1);
    assert.match(stderr, sentence);
  }
  const { code, stderr } = await check(t, shop, '--against', 'shop');
  assert.equal(code, 2);
  assert.match(
    stderr,
    /^--against: expected a URL such as https:\/\/example\.com\/shop, without a query, got ""shop""|"shop"/,
  );
});
