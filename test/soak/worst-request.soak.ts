import assert from 'node:assert/strict';
import { test } from 'node:test';
import { generateCatalog } from '../../scripts/bench/catalog/catalog.ts';
import { pageEndpoints } from '../../src/http/endpoints/page.ts';
import { parameterReader } from '../../src/http/plugins/parameters.ts';
import { endpoints } from '../../src/http/routes.ts';
import { loadCatalog } from '../../src/live/readers.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { sourceIn, writeFiles } from '../support/catalogs.ts';
import { newsOf } from '../support/rows.ts';
import { NOW } from '../support/service.ts';
import { rounds } from '../support/soak.ts';

const NEWS = rounds(10_000, 50_000);
const PRICES = 2 * NEWS;
const REPETITIONS = rounds(3, 5);
/** No request may take at once more than this part of the CPU time that writing all news takes, in the same process. */
const MAX_PART = 1 / 3;

/** Keywords for which many texts have to be searched, or many lists decoded. */
const keywords = {
  ascii: [
    'e',
    'z',
    'e t a o i n s r h l d c u m f p g w y b v k x j q 1 2 0 p , .',
    'e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e e',
    'the and for wit ith fro rom now can are you our all new thi his',
    'th he in er an re on at',
    'the and to of for in with from',
    'disk account with rt',
    'that your to now ainten',
    'service',
    'that account',
    'theand andthe thethe withthe',
    'qz jx zz xq vq ~~ #! ^^',
    'ＴＨＥ ａｎｄ',
    '\ufdfa'.repeat(64),
  ],
  chinese: [
    '数',
    '我们',
    '服 务 器 数 据 云 端 的 新 我 们 可 以 用 户 价 格 网 络 存 储 地 区 节 点 集 群 内 存',
    '我们 可以 服务 用户 数据 云端 价格 网络',
    '服务器 测试 地区 数据',
    '现在 服务 以及 所有',
    '服务们 们可以 户数据服',
    '们们 服服 数数',
    '\u202f龘',
    'p',
  ],
};
const lists = [
  '/api/news',
  '/api/news?limit=100',
  '/api/news?page=500&limit=100',
  '/api/news?page=50000&limit=100',
  '/api/news?type_id=3&limit=100',
  '/api/news?sort=read',
  '/api/news?sort=read&page=250&limit=100',
  '/api/news?since=2020-01-01&until=2030-01-01&include=img,type_id&limit=100',
  `/api/news?ids=${Array.from({ length: 100 }, (_, index) => index * 400 + 1)}&limit=100`,
  '/api/products?limit=100',
  '/api/news/77',
  '/overview',
  '/overview/prices?product_id=1&limit=100',
  '/overview/prices?product_id=1&keyword=e',
  '/overview/rows?catalog=prices&limit=100',
  '/overview/rows?catalog=prices&keyword=1',
  '/overview/rows?catalog=news&keyword=e&limit=100',
  '/api/recommend-config?product_id=1&limit=100&include_durations=true',
  '/api/recommend-config/price?product_id=1&recommend_config_id=1&duration_id=1',
  '/feeds/news.atom',
  '/feeds/news.rss',
  '/feeds/news.json',
];

const reads = {
  raise: (_id: number, floor: number) => floor + 1,
  shown: (_id: number, floor: number) => floor,
  revision: () => 0,
  health: () => assert.fail(),
  flush: async () => {},
  close: async () => {},
};
const options = { reads, now: () => NOW, feeds: [], problems: () => ({}) };
const site = { newsUrl: 'https://example.com/news/{id}', publicUrl: '', feedTitle: '' };
const asked = [...endpoints(options, site), ...pageEndpoints(options)];

/** Answers a request from a set as the first one after a reload, but for the sending. */
async function answer(address: string, snapshot: Snapshot): Promise<void> {
  const { pathname, searchParams } = new URL(address, 'http://a');
  const { body } = await answerEndpoint(pathname, Object.fromEntries(searchParams), snapshot);
  if (typeof body === 'function') body();
}

function answerEndpoint(path: string, raw: Record<string, string>, snapshot: Snapshot) {
  const id = /\d+$/.exec(path)?.[0];
  const found = asked.find(({ url }) => url === (id ? path.replace(id, ':id') : path));
  const { schema, ask } = found ?? assert.fail(`no endpoint for ${path}`);
  const query = schema.querystring && parameterReader(schema.querystring, 'UTC')(raw);
  assert.ok(!query || 'value' in query, path);
  return ask(query?.value, { id: Number(id) }).answer(snapshot, 'GET');
}

for (const text of ['ascii', 'chinese'] as const) {
  test(`of ${NEWS} news items, ${text}, no request stops the event loop for as long as writing all of them would`, async t => {
    const catalogDir = await writeFiles(t, {});
    await generateCatalog(catalogDir, { news: NEWS, prices: PRICES, text, seed: 1 });
    const { snapshot } = await loadCatalog(sourceIn(catalogDir));
    assert.ok(snapshot);
    const searches = keywords[text].flatMap(keyword => {
      const url = `/api/news?keyword=${encodeURIComponent(keyword)}`;
      return [url, `${url}&type_id=3`, `${url}&page=500&limit=100`];
    });
    // The others may have had a garbage collection.
    const leastStop = async (run: (snapshot: Snapshot) => unknown) => {
      const stops = [];
      for (let repetition = 0; repetition < REPETITIONS; repetition += 1)
        stops.push(await longestStop(() => run({ ...snapshot })));
      return Math.min(...stops);
    };
    const results: [stop: number, what: string][] = [];
    for (const url of [...lists, ...searches])
      results.push([await leastStop(snapshot => answer(url, snapshot)), decodeURIComponent(url)]);
    const all = await leastStop(snapshot => JSON.stringify(newsOf(snapshot)));
    t.diagnostic(`${all.toFixed(1)} ms: all news`);
    results.sort(([one], [other]) => other - one);
    for (const [stop, what] of results.slice(0, 15)) t.diagnostic(`${stop.toFixed(1)} ms: ${what}`);
    const [[worst, what] = assert.fail()] = results;
    assert.ok(worst <= MAX_PART * all, what);
  });
}

/**
 * The most CPU time that passes between two rounds of the event loop while something runs, in milliseconds. A clock would
 * count what other processes do meanwhile.
 */
async function longestStop(run: () => unknown): Promise<number> {
  let [last, stop, isOver] = [cpuTime(), 0, false];
  const round = () => {
    const now = cpuTime();
    stop = Math.max(stop, now - last);
    last = now;
    if (!isOver) setImmediate(round);
  };
  const running = run();
  round();
  await running;
  isOver = true;
  round();
  return stop;
}

function cpuTime(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
