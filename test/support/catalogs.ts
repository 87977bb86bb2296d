import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { CatalogSource } from '../../src/reader/read-set.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { afterTest, type Lifetime } from './after-test.ts';

/** Files by name: a text, bytes, rows to be written as JSON, or null to leave out a file of the shop. */
export type Files = Record<string, string | Buffer | object[] | null>;

/** The sample catalogs that `npm start` serves. */
export const sample = {
  catalogDir: fileURLToPath(new URL('../../data/catalog', import.meta.url)),
  imagesDir: fileURLToPath(new URL('../../data/images', import.meta.url)),
};

/** A small whole set; tests lay their own files over it. */
export const shop: Files = {
  'products.json': [
    { id: 1, name: 'Cloud server', description: 'Small & quick' },
    { id: 2, name: '香港云服务器' },
    { id: 3, name: 'Sold out' },
  ],
  'configurations.csv': `id,product_id,name,cpu,memory,order,hidden
11,1,Small,1,4096,20,
12,1,Tiny,0.5,512,10,
13,1,Large,8,32768,20,no
14,1,Secret,16,65536,,yes
21,2,Hong Kong,2,2048,,
`,
  'durations.json': [
    { id: 1, name: 'Yearly', num: 1, unit: 'year' },
    { id: 2, name: 'Hourly', num: 1, unit: 'hour' },
    { id: 3, name: 'Quarterly', num: 3, unit: 'month' },
    { id: 4, name: 'Monthly', num: 1, unit: 'month' },
  ],
  'prices.csv': `id,product_id,rel_id,duration_id,price
101,1,11,1,455.47
102,1,11,2,0.1
103,1,11,3,99999999.9999
104,1,11,4,19.99
105,1,12,4,9.90
106,1,13,2,0.00595
107,1,14,2,1
108,2,21,4,0
`,
  'news_types.json': [
    { id: 1, name: 'Announcements' },
    { id: 2, name: 'Maintenance' },
  ],
  'news.json': [
    {
      ...{ id: 1, title: 'We are open', content: '<p>Come <b>in</b></p>', keywords: 'launch,opening' },
      ...{ img: 'launch.png', read: 100, create_time: '2024-01-05 10:00:00', type_id: 1 },
    },
    {
      ...{ id: 2, title: 'Servers restart', content: 'Tonight & tomorrow.', create_time: 1706754600 },
      ...{ update_time: '2024-02-02', type_id: 2 },
    },
    {
      ...{ id: 3, title: '高性能计算已上线', content: '欢迎试用。', keywords: '发布' },
      ...{ create_time: '2024-03-01T00:00:00', type_id: 1 },
    },
    { id: 4, title: 'Same second', content: 'as the one before', create_time: '2024-03-01 00:00:00' },
    { id: 5, title: 'Hidden', content: 'draft', create_time: '2024-04-01', type_id: 1, hidden: true },
    {
      ...{ id: 6, title: 'From 2030 on', content: 'future', create_time: '2024-05-01', type_id: 1 },
      publish_time: '2030-01-01',
    },
  ],
};

/** The address of the site's news pages, for tests of feeds and links. */
export const newsUrl = 'https://example.com/news/{id}';

export const markdown: Files = {
  ...shop,
  'news.json': null,
  ...Object.fromEntries(
    [1, 2, 3].map(id => [
      `news/${id}-item.md`,
      `---\ncreate_time: 2024-01-0${id} 10:00:00\n---\n# Item ${id}\n\nIts *text*.\n`,
    ]),
  ),
};

/** News items with ids from 1 on, each a second newer than the one before, and with `more`. */
export function newsItems(count: number, more: (index: number) => object = () => ({})) {
  return Array.from({ length: count }, (_, index) => ({
    ...{ id: index + 1, title: `Item ${index + 1}`, content: 'text', create_time: 1_700_000_000 + index },
    ...more(index),
  }));
}

/** A set without most of the prices, which is held back. */
export const drastic: Files = {
  'prices.csv': String(shop['prices.csv']).replace(/\n101(?:.|\n)*?(?=\n107)/, ''),
};

/** The shop with another price of its first configuration for a month. */
export function priced(price: string): Files {
  return { 'prices.csv': String(shop['prices.csv']).replace('19.99', price) };
}

/** Writes files into a new directory, which is removed after the test. */
export async function writeFiles(t: Lifetime, files: Files): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'vitrine-'));
  afterTest(t, () => rm(dir, { recursive: true, force: true, maxRetries: 5 }));
  await writeInto(dir, files);
  return dir;
}

/** Writes files into a directory, which is made where it is not there. */
export async function writeInto(dir: string, files: Files): Promise<void> {
  await mkdir(dir, { recursive: true });
  for (const [name, content] of Object.entries(files)) {
    if (content === null) continue;
    await mkdir(dirname(join(dir, name)), { recursive: true });
    await writeFile(join(dir, name), Array.isArray(content) ? JSON.stringify(content, null, 2) : content);
  }
}

/** The set in a directory, which has its images too; read as by default, unless `options` say otherwise. */
export function sourceIn(catalogDir: string, options: Partial<Settings> = {}): CatalogSource {
  return settingsFrom({ catalogDir, imagesDir: catalogDir, ...options });
}

/** The shop with some files replaced; a catalog given as `.csv` replaces its `.json` and the other way round. */
export function shopWith(files: Files): Files {
  const replaced = new Set(Object.keys(files).map(name => name.split('.')[0]));
  const kept = Object.entries(shop).filter(([name]) => !replaced.has(name.split('.')[0]));
  return { ...Object.fromEntries(kept), ...files };
}
