import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newsItems, newsUrl, shop, shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const idsIn = ({ list }: { list: { id: number }[] }) => list.map(({ id }) => id);
const durationsIn = ({ durations }: { durations?: unknown }) => durations;
const HUNDRED = Array.from({ length: 100 }, (_, index) => index + 1);

type PageOf = [query: string, ids: number[], total: number];
/** Queries of the news of the shop, after the ids on the page and how many there are in all. */
const queries: Record<string, string> = {
  '4,3,2,1 of 4':
    '- unknown=1&unknown=2 type_id= keyword= keyword=%20%20 ids= sort= since=0 until=9999-12-31 since=&until=',
  ' of 4': 'page=3&limit=2',
  '3,1 of 2': 'type_id=1&around=3 around=1&type_id=1 type_id=1 ids=1,3,99,1,5,6,03 ids=3&ids=1&ids=',
  '2 of 1': 'type_id=2 since=2024-02-01&until=2024-02-01 since=2024-02-01+02:30:00&until=2024-02-01T02:30:00',
  ' of 0':
    'type_id=99 keyword=comein keyword=b%3E keyword=draft keyword=future ids=99 since=2024-03-02 until=0 until=1969-12-30',
  '1 of 2': 'type_id=1&page=2&limit=1',
  '1 of 1':
    'keyword=OPEN keyword=%EF%BC%AF%EF%BC%B0%EF%BC%A5%EF%BC%AE keyword=opening keyword=come+in keyword=in+come keyword=e&type_id=1 until=1706754599 keyword=e&type_id=1&until=2024-02-28&sort=read',
  '3 of 1':
    'keyword=%E6%80%A7%E8%83%BD ids=1,2,3&type_id=1&since=2024-02-01 type_id=1&since=2024-03-01&include=type_id',
  '2 of 3': 'keyword=e&limit=1&page=2',
  '1,4,3,2 of 4': 'sort=read',
  // The time of creation; that of item 2 is 1706754600
  '4,3,2 of 3': 'since=1706754600 until=2024-03-01+00:00:00&since=2024-02-01',
  '4,3 of 2':
    'since=1706754601 since=2024-03-01 since=2024-02-01T02:30:01Z since=2024-02-01T04:30:01+02:00 since=2024-02-01+01:30:01%2D01:00',
  '2,1 of 2':
    'until=1706754600 until=2024-02-29 until=2024/2/29 until=2024-02-01+02:30 until=2024-02-01T04:30:00%2B02:00',
  '4,3 of 4': 'around=4 around=4&page=&ids= until=2030-01-01&around=4&include=img,extra',
  '4,3,2 of 4': 'around=3',
  '2,1 of 4': 'around=1',
  '3,2 of 3': 'around=2&since=1706754600',
  '4,2,1 of 3': 'ids=1,2,4&keyword=e',
  '1,4,2 of 3': 'ids=1,2,4&keyword=e&sort=read',
  '4 of 3': 'ids=1,2,4&keyword=e&sort=read&page=2&limit=1',
};
const news = Object.entries(queries).flatMap(([expected, all]): PageOf[] => {
  const [ids = '', total] = expected.split(' of ');
  return all.split(' ').map(query => [query, ids.split(',').filter(Boolean).map(Number), Number(total)]);
});
/** Of the shop: an address, the ids of the items on its page, and how many there are in all. */
const pages: PageOf[] = [
  ...news.map(([query, ...rest]): PageOf => [`/api/news?${query}`, ...rest]),
  [`/api/news?ids=${HUNDRED}`, [4, 3, 2, 1], 4],
  ['/api/recommend-config?product_id=1', [12, 11, 13], 3],
  ['/api/recommend-config?product_id=3&page=2', [], 0],
  ['/api/recommend-config?product_id=999', [], 0],
  ['/api/products', [1, 2, 3], 3],
  ['/api/products?page=2&limit=2', [3], 3],
  ['/api/news-types', [1, 2], 2],
];

test('each list has the visible items that its query asks for, in its order, and their number', async t => {
  // Products are sorted by id whatever the order of their file.
  const products = (shop['products.json'] as object[]).toReversed();
  const { ask } = await startService(t, shopWith({ 'products.json': products }));
  for (const [url, ids, total] of pages) {
    const { status, data } = await ask(url);
    const current_page = Number(/page=(\d+)/.exec(url)?.[1] ?? 1);
    assert.deepEqual([status, idsIn(data), data.pagination], [200, ids, { current_page, total }], url);
  }
});

test('pages have 20 items by default and 100 at most', async t => {
  const row = { product_id: 1, cpu: 1, memory: 1 };
  const rows = Array.from({ length: 130 }, (_, index) => ({ ...row, id: index + 1, name: `C${index}` }));
  const { ask } = await startService(t, shopWith({ 'configurations.json': rows, 'prices.json': [] }));
  for (const [query, page, first, count] of [
    ['', 1, 1, 20],
    ['&page=2', 2, 21, 20],
    ['&limit=100', 1, 1, 100],
    ['&limit=100&page=2', 2, 101, 30],
    ['&page=9007199254740991&limit=100', 9007199254740991, undefined, 0],
    ['&page=&limit=', 1, 1, 20],
  ] as const) {
    const { list, pagination } = (await ask(`/api/recommend-config?product_id=1${query}`)).data;
    assert.deepEqual([pagination, list[0]?.id], [{ current_page: page, total: 130 }, first]);
    assert.equal(list.length, count);
  }
});

test('durations come by unit, num and id if include_durations is true, and without a catalog by id alone', async t => {
  const others = [7, 6, 5].map(id => ({ id, name: 'Other', num: 1, unit: id === 5 ? 'week' : 'day' }));
  const durations = [...(shop['durations.json'] as object[]), ...others];
  const price = { product_id: 1, rel_id: 11 };
  const prices = durations.map((_, index) => ({
    ...price,
    id: index + 1,
    duration_id: index + 1,
    price: index + 1,
  }));
  const { ask } = await startService(t, shopWith({ 'durations.json': durations, 'prices.json': prices }));
  const durationsOf = async (query: string, asked = ask) =>
    (await asked(`/api/recommend-config?product_id=1${query}`)).data.list.map(durationsIn);
  for (const flag of ['true', '1', 'TRUE', 'True'])
    assert.deepEqual(await durationsOf(`&include_durations=${flag}`), [
      [],
      [
        { duration_id: 2, name: 'Hourly', num: 1, unit: 'hour', price: 2 },
        { duration_id: 6, name: 'Other', num: 1, unit: 'day', price: 6 },
        { duration_id: 7, name: 'Other', num: 1, unit: 'day', price: 7 },
        { duration_id: 5, name: 'Other', num: 1, unit: 'week', price: 5 },
        { duration_id: 4, name: 'Monthly', num: 1, unit: 'month', price: 4 },
        { duration_id: 3, name: 'Quarterly', num: 3, unit: 'month', price: 3 },
        { duration_id: 1, name: 'Yearly', num: 1, unit: 'year', price: 1 },
      ],
      [],
    ]);
  for (const flag of ['', '&include_durations=', '&include_durations=0', '&include_durations=False']) {
    const { list } = (await ask(`/api/recommend-config?product_id=1${flag}`)).data;
    assert.ok(list.length === 3 && list.every((item: object) => !('durations' in item)), flag);
  }
  const untyped = [{ id: 1, title: 'A', content: 'B', create_time: 1_700_000_001 }];
  const without = { 'durations.json': null, 'news_types.json': null, 'news.json': untyped };
  const bare = await startService(t, shopWith(without));
  assert.deepEqual((await bare.ask('/api/news-types')).data.list, []);
  assert.deepEqual((await durationsOf('&include_durations=true&limit=2', bare.ask))[1], [
    { duration_id: 1, price: 455.47 },
    { duration_id: 2, price: 0.1 },
    { duration_id: 3, price: 99999999.9999 },
    { duration_id: 4, price: 19.99 },
  ]);
});

const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=';
const tiny = '{"id":12,"product_id":1,"name":"Tiny","cpu":0.5,"memory":512}';
const included = '"img":"launch.png","type_id":1';
const open = '"id":1,"title":"We are open","content":"<p>Come <b>in</b></p>","keywords":"launch,opening"';
const created =
  '"create_time":1704448800,"create_time_formatted":"2024-01-05 10:00:00","update_time_formatted":"2024-01-05 10:00:00"';
const restart =
  '{"id":2,"title":"Servers restart","content":"Tonight & tomorrow.","keywords":"","read":0,"create_time":1706754600,"create_time_formatted":"2024-02-01 02:30:00","update_time_formatted":"2024-02-02 00:00:00"}';
const withoutType =
  '{"id":4,"title":"Same second","content":"as the one before","keywords":"","img":"","read":0,"create_time":1709251200,"create_time_formatted":"2024-03-01 00:00:00","update_time_formatted":"2024-03-01 00:00:00"}';

test('records have the fields of the contract in its order; reading a news item shows the count after it', async t => {
  const { ask } = await startService(t);
  const page = (list: string, total: number) =>
    `{"list":[${list}],"pagination":{"current_page":1,"total":${total}}}`;
  const answers = {
    '/api/recommend-config?product_id=1&limit=1': page(tiny, 3),
    '/api/products?limit=1': page('{"id":1,"name":"Cloud server","description":"Small & quick"}', 3),
    '/api/news-types?limit=1': page('{"id":1,"name":"Announcements"}', 2),
    '/api/news?ids=1': page(`{${open},"read":100,${created}}`, 1),
    '/api/news?ids=1&include=type_id,img': page(`{${open},${included},"read":100,${created}}`, 1),
    '/api/news?ids=&ids=&include=type_id&include=img&limit=1': page(withoutType, 4),
    '/api/news?type_id=2': page(restart, 1),
    '/api/news/1': `{${open},"img":"launch.png","read":101,"create_time_formatted":"2024-01-05 10:00:00"}`,
    [`${PRICE}1`]: '{"id":101,"product_id":1,"rel_id":11,"duration_id":1,"price":455.47,"rel_type":1}',
  };
  const before = '{"success":true,"code":200,"message":"query succeeded","data":';
  for (const [url, data] of Object.entries(answers)) assert.equal((await ask(url)).text, `${before}${data}}`);
});

test('times are read and shown in TIME_ZONE, where a day may have 23, 24 or 25 hours', async t => {
  const { ask } = await startService(t, shop, { timeZone: 'Asia/Shanghai' });
  const [first] = (await ask('/api/news?type_id=1&page=2&limit=1')).data.list;
  assert.equal(first.create_time_formatted, '2024-01-05 10:00:00');
  assert.equal(first.create_time, 1704448800 - 8 * 3600);
  const query = 'since=2024-02-01+10:30:00&until=2024-02-01T10:30:00';
  assert.deepEqual(idsIn((await ask(`/api/news?${query}`)).data), [2]);
  // In São Paulo the clocks went back from 0:00 on 18 February 2018, and forward from 0:00 on 4 November.
  const hour = (day: string, hours: number) => Date.parse(`${day}T00:00:00-02:00`) / 1000 + hours * 3600;
  const times = [hour('2018-02-17', 24.5), hour('2018-11-04', 1)];
  const news = times.map((create_time, index) => ({ id: index + 1, title: 'A', content: 'B', create_time }));
  const there = await startService(t, shopWith({ 'news.json': news }), { timeZone: 'America/Sao_Paulo' });
  const days = { '2018-02-17': [1], '2018-02-18': [], '2018-11-03': [], '2018-11-04': [2] };
  for (const [day, ids] of Object.entries(days))
    assert.deepEqual(idsIn((await there.ask(`/api/news?since=${day}&until=${day}`)).data), ids, day);
});

test('100 concurrent reads return 100 different counts; only a GET that answers 200 is a read', async t => {
  const { ask, dispatch } = await startService(t, shop, { newsUrl });
  const answers = await Promise.all(HUNDRED.map(() => ask('/api/news/1')));
  const reads = answers.map(({ data }) => data.read - 100).sort((a, b) => a - b);
  assert.deepEqual(reads, HUNDRED);
  assert.equal((await ask('/api/news?ids=1')).data.list[0].read, 200);
  const preflight = { origin: 'https://a.test', 'access-control-request-method': 'GET' };
  const head = await ask('/api/news/2', { method: 'HEAD' });
  await ask('/api/news/2', { method: 'POST' });
  await ask('/api/news/2', { method: 'OPTIONS', headers: preflight });
  const others =
    '/api/news /api/news?keyword=restart /api/news?sort=read /api/news/5 /api/news/6 /overview /overview/rows?catalog=news /feeds/news.rss';
  for (const url of others.split(' ')) await dispatch(url);
  const get = await ask('/api/news/2', { headers: { 'if-none-match': '*' } });
  assert.deepEqual([get.data.read, get.headers.etag], [1, undefined]);
  assert.deepEqual([head.text, head.headers['content-length']], ['', get.headers['content-length']]);
  const mostRead = async () => idsIn((await ask('/api/news?sort=read')).data);
  assert.deepEqual(await mostRead(), [1, 2, 4, 3]);
  await ask('/api/news/4');
  assert.deepEqual(await mostRead(), [1, 4, 2, 3], 'a list that reads sort follows each of them');
});

const next = (query: string) => `<?${query}>; rel="next"`;
const prev = (query: string) => `<?${query}>; rel="prev"`;

test('a page has links to the next and the previous one; single pages, details and errors have none', async t => {
  const { ask } = await startService(t);
  for (const [url, ...links] of [
    ['/api/news'],
    ['/api/news?limit=4'],
    ['/api/news?limit=3', next('page=2&limit=3')],
    ['/api/news?limit=2&page=2', prev('page=1&limit=2')],
    ['/api/news?limit=1&page=2', next('page=3&limit=1'), prev('page=1&limit=1')],
    ['/api/news?page=9', prev('page=1')],
    ['/api/news?limit=1&page=9007199254740991', prev('page=4&limit=1')],
    ['/api/news?type_id=99&page=2', prev('page=1&type_id=99')],
    ['/api/news?limit=1&utm_source=x', next('page=2&limit=1')],
    ['/api/news?page=2&keyword=E+%26%23%3E', prev('page=1&keyword=E%20%26%23%3E')],
    [
      '/api/news?keyword=%20&limit=1&since=2024-01-01&until=2024-03-01&ids=4,3,1&sort=read&include=type_id,img',
      next(
        'page=2&limit=1&keyword=%20&ids=1,3,4&since=1704067200&until=1709337599&sort=read&include=img,type_id',
      ),
    ],
    ['/api/products?limit=2', next('page=2&limit=2')],
    ['/api/news-types?limit=1&page=2', prev('page=1&limit=1')],
    ['/api/recommend-config?limit=2&product_id=1', next('page=2&product_id=1&limit=2')],
    ['/api/news/1'],
    ['/api/news?around=2'],
    ['/api/news?page=0'],
  ] as const) {
    const expected = links.join(', ') || undefined;
    for (const request of [{}, { headers: { 'if-none-match': '*' } }, { method: 'HEAD' }])
      assert.equal((await ask(url, request)).headers.link, expected, url);
  }
});

test('the neighbours of an item that is not in the list are 404', async t => {
  const { ask } = await startService(t);
  for (const query of ['99', '5', '6', '1&type_id=2', '1&since=2024-02-01', '4&until=2024-02-29']) {
    const { status, data } = await ask(`/api/news?around=${query}`);
    assert.deepEqual([status, data.error], [404, 'NEWS_NOT_FOUND'], query);
  }
});

test('prices have their digits in the file, in the shortest form; rows of another rel_type are left out', async t => {
  const digits = Object.entries({
    ...{ '0.1': '0.1', '19.99': '19.99', '99999999.9999': '99999999.9999', '19.90': '19.9' },
    ...{ '0.00595': '0.00595', '0.00000001': '1e-8', '123456789012345': '123456789012345' },
    ...{ '1234567.12345678': '1234567.12345678', '0': '0', '0.10': '0.1', '7.000': '7' },
  });
  const durations = [...digits, ''].map((_, id) => ({ id: id + 1, name: 'a', num: id + 1, unit: 'day' }));
  const columns = 'id,product_id,rel_id,duration_id,price,rel_type';
  const rows = digits.map(([written], id) => `${id + 1},1,11,${id + 1},${written},1`);
  // The last two also have a configuration, and a combination, that others do not allow.
  rows.push('20,1,11,12,6,0', '21,1,77,12,7,0', '22,1,11,1,8,2');
  const files = { 'prices.csv': [columns, ...rows].join('\n'), 'durations.json': durations };
  const { ask } = await startService(t, shopWith(files));
  for (const [index, [, served]] of digits.entries())
    assert.equal(/"price":([^,]+)/.exec((await ask(`${PRICE}${index + 1}`)).text)?.[1], served);
  assert.equal((await ask(`${PRICE}12`)).data.error, 'PRICE_NOT_FOUND');
  const { data } = await ask('/api/recommend-config?product_id=1&include_durations=true&page=2&limit=1');
  assert.equal(data.list[0].durations.length, digits.length);
});

/** What editors paste, and what others may have made them paste. */
const hostile = [
  'line\u2028and paragraph\u2029separators',
  'NUL\u0000, bell\u0007, escape\u001b, delete\u007f and C1 \u0085',
  '"quotes", \\backslashes\\, /slashes/ and \ttabs\r\n and lines',
  '\ufeffa byte order mark, \ufffd, \u200b, \u202eturned round\u202c and \ufffe',
  '__proto__ constructor hasOwnProperty',
  '𝒳 👩‍👩‍👧 e\u0301 香港 \u{10ffff}',
];

test('texts of any characters are served in JSON as they are in the file', async t => {
  const rows = newsItems(hostile.length, index => {
    return { title: hostile[index], content: hostile[index], keywords: hostile[index] };
  });
  const { ask, dispatch } = await startService(t, shopWith({ 'news.json': rows }));
  for (const [index, text] of hostile.entries()) {
    const { rawPayload, headers } = await dispatch(`/api/news/${index + 1}`);
    // Fails where a byte is no UTF-8.
    const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawPayload);
    assert.equal(headers['content-length'], String(rawPayload.length));
    assert.ok(!rawPayload.some(byte => byte < 0x20), 'a bare control character');
    const { title, content, keywords } = JSON.parse(body).data;
    assert.deepEqual([title, content, keywords], [text, text, text]);
  }
  const { list } = (await ask('/api/news')).data;
  assert.deepEqual(list.map(({ title }: { title: string }) => title).reverse(), hostile);
  assert.equal((await ask('/api/news?keyword=__proto__+constructor')).data.pagination.total, 1);
});
