import { type Case, utf8 } from './cases.ts';

/** Cases that are too long for a file of the corpus. */

const get = (target: string, headers = '') => `GET ${target} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`;
const letters = [...'etaoinshrdlcumwfgypbvkjxqz012345'];

export const longRequests: [name: string, request: string][] = [
  ['a keyword of 32 one-letter terms', get(`/api/news?keyword=${letters.join('+')}`)],
  ['a keyword of 32 equal terms', get(`/api/news?keyword=${Array(32).fill('e').join('+')}`)],
  ['a keyword of 64 ligatures', get(`/api/news?keyword=${encodeURIComponent('\uFDFA'.repeat(64))}`)],
  [
    'a keyword of 64 combining marks',
    get(`/api/news?keyword=${encodeURIComponent('\u0301\u0323'.repeat(32))}`),
  ],
  ['a list of tags', get('/api/news', `If-None-Match: ${'"a", '.repeat(2_500)}"b"\r\n`)],
  [
    'a list that is unchanged, at 100 addresses',
    requests(n => `/api/recommend-config?product_id=1&x=${n}`, 'If-None-Match: *\r\n'),
  ],
  ['a list of ranges', get('/images/launch.png', `Range: bytes=${'0-0,'.repeat(3_000)}1-1\r\n`)],
  ['100 lists of 100 news items', requests(n => `/api/news?limit=100&page=${n}`)],
];

function requests(target: (n: number) => string, headers?: string): string {
  return Array.from({ length: 100 }, (_, index) => get(target(index + 1), headers)).join('');
}

const row = (title: string, content: string) =>
  utf8(`[{"id": 1, "create_time": 1700000001, "title": "${title}", "content": "${content}"}]`);
/** Just under a megabyte, in the shortest characters. */
const LONG = 1_000_000;
const marks = '\u0301\u0323';

export const longCatalogs: [name: string, Case][] = [
  ['a JSON file of line breaks', { 'products.json': '\n'.repeat(LONG) }],
  ['a JSON array of line breaks', { 'products.json': `[${'\n'.repeat(LONG)}]` }],
  ['a quoted cell of line breaks', { 'products.csv': `id,name\n1,"${'\n'.repeat(LONG)}"\n` }],
  ['a quoted cell of line breaks that never ends', { 'products.csv': `id,name\n1,"${'\n'.repeat(LONG)}` }],
  ['a file of carriage returns', { 'products.csv': '\r'.repeat(LONG) }],
  ['a million commas', { 'products.csv': ','.repeat(LONG) }],
  ['a million empty rows', { 'products.json': `[${'{},'.repeat(LONG)}{}]` }],
  [
    'a million unknown keys',
    { 'products.json': `[{${Array.from({ length: 100_000 }, (_, n) => `"k${n}":0`)}}]` },
  ],
  ['nesting', { 'products.json': '['.repeat(LONG) }],
  [
    'a number of a million digits',
    { 'prices.csv': `id,product_id,rel_id,duration_id,price\n1,1,11,1,${'1'.repeat(LONG)}\n` },
  ],
  [
    'a million empty CSV lines',
    { 'prices.csv': `id,product_id,rel_id,duration_id,price${'\n'.repeat(LONG)}` },
  ],
  ['a header of 300,000 columns', { 'products.csv': `id,name${',a'.repeat(300_000)}\n1,A\n` }],
  ['a row of 300,000 cells', { 'products.csv': `id,name\n1,A${',a'.repeat(300_000)}\n` }],
  ['a ligature of 18 characters, 300,000 times', { 'news.json': row('\uFDFA', '\uFDFA'.repeat(300_000)) }],
  ['alternating combining marks', { 'news.json': row('a', `a${marks.repeat(30_000)}`) }],
  ['one line with 2,000 warnings', { 'news.json': imageless(2_000) }],
  ['tags that never end', { 'news.json': row('a', '<a '.repeat(200_000)) }],
  ['comments that never end', { 'news.json': row('a', '<!--'.repeat(200_000)) }],
  ['ampersands', { 'news.json': row('a', '&'.repeat(500_000)) }],
  ['paragraphs', { 'news.json': row('a', '<p>'.repeat(200_000)) }],
];

/** A minified file in which every item names an image that is missing. */
function imageless(items: number): string {
  const item = (id: number) => ({
    id,
    title: 'a',
    content: 'b',
    create_time: 1_700_000_001,
    img: `${id}.png`,
  });
  return JSON.stringify(Array.from({ length: items }, (_, index) => item(index + 1)));
}
