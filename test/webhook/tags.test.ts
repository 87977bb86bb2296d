import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogNames } from '../../src/contract/columns.ts';
import type { CatalogSource } from '../../src/reader/read-set.ts';
import type { SetContent } from '../../src/set/compare/differences.ts';
import { compareSets } from '../../src/set/compare-sets.ts';
import { type Files, newsUrl, shop, sourceIn, writeFiles } from '../support/catalogs.ts';
import { readSource } from '../support/read-source.ts';
import { NOW, startService } from '../support/service.ts';

type Row = Record<string, unknown>;
type Name = 'products.json' | 'durations.json' | 'news_types.json' | 'news.json';

/** The shop with other values in the row of this id, or without it. */
function edited(name: Name, id: number, values: Row | undefined): Files {
  const rows = (shop[name] as Row[]).flatMap(row => {
    if (row.id !== id) return [row];
    return values ? [{ ...row, ...values }] : [];
  });
  return { ...shop, [name]: rows };
}

const added = (name: Name, row: Row): Files => ({ ...shop, [name]: [...(shop[name] as Row[]), row] });
const replaced = (name: string, from: string, to: string): Files => ({
  ...shop,
  [name]: String(shop[name]).replace(from, to),
});

async function contentOf(source: CatalogSource): Promise<SetContent> {
  return (await readSource(source)).content ?? assert.fail();
}

/** What caches have to purge when a set replaces another, in alphabetical order. */
function changedTags(before: SetContent, after: SetContent): string[] {
  const former = new Map(catalogNames.map(name => [name, before[name]]));
  return compareSets(former, after, { from: 'a', to: 'b' }, undefined, NOW).tags.sort();
}

const item = { id: 50, title: 'New', content: 'text', create_time: 1_700_000_000 };
const toCome = String(shop['prices.csv']).replace('price', 'price,valid_from').replace(/\d$/gm, '$&,');
const cases: [change: string, files: Files, tags: string[]][] = [
  ['a name of a product', edited('products.json', 3, { name: 'Other' }), ['products']],
  ['a product that is added', added('products.json', { id: 4, name: 'New' }), ['products']],
  ['a price', replaced('prices.csv', '19.99', '19.98'), ['product-1']],
  ['an id of a price', replaced('prices.csv', '108,2', '109,2'), ['product-2']],
  ['a price that is gone', replaced('prices.csv', '108,2,21,4,0\n', ''), ['product-2']],
  ['a price to come', { ...shop, 'prices.csv': `${toCome}109,1,11,4,9,2099-01-01\n` }, ['product-1']],
  ['a configuration', replaced('configurations.csv', 'Hong Kong', 'HK'), ['product-2']],
  ['the order of configurations', replaced('configurations.csv', '512,10', '512,30'), ['product-1']],
  ['a configuration that is shown', replaced('configurations.csv', ',yes', ','), ['product-1']],
  ['a duration', edited('durations.json', 1, { name: 'A year' }), ['configurations']],
  ['a category', edited('news_types.json', 2, { name: 'Other' }), ['feeds', 'news-types']],
  ['a text', edited('news.json', 2, { content: 'Other' }), ['news-all', 'news-type-2']],
  ['an image', edited('news.json', 1, { img: '' }), ['images', 'news-all', 'news-type-1']],
  ['a floor of the count', edited('news.json', 1, { read: 7 }), ['news-all', 'news-type-1']],
  ['another category', edited('news.json', 1, { type_id: 2 }), ['news-all', 'news-type-1', 'news-type-2']],
  ['an item without a category', added('news.json', item), ['news-all']],
  ['an item that is gone', edited('news.json', 2, undefined), ['news-all', 'news-type-2']],
  ['an item that is hidden', edited('news.json', 2, { hidden: true }), ['news-all', 'news-type-2']],
  ['an item that is published later', added('news.json', { ...item, publish_time: NOW + 1 }), []],
  ['an item that was published', added('news.json', { ...item, unpublish_time: NOW - 1 }), []],
  ['nothing', shop, []],
];

/** Questions whose answers shared caches keep. */
const questions = [
  '/api/products',
  '/api/news-types',
  ...[1, 2, 3, 4].flatMap(id => [
    `/api/recommend-config?product_id=${id}`,
    `/api/recommend-config?product_id=${id}&include_durations=true`,
  ]),
  ...['1&recommend_config_id=11&duration_id=4', '2&recommend_config_id=21&duration_id=4'].map(
    rest => `/api/recommend-config/price?product_id=${rest}`,
  ),
  ...['', 'type_id=1', 'type_id=2', 'keyword=open', 'ids=1,2', 'include=img,type_id', 'sort=read'].map(
    query => `/api/news?${query}`,
  ),
  ...['atom', 'rss', 'json'].flatMap(format => [`/feeds/news.${format}`, `/feeds/news.${format}?type_id=2`]),
  '/images/launch.png',
];

test('a change purges every answer that it makes differ, and no narrower or other tag than these', async t => {
  const open = async (files: Files) => {
    const options = { newsUrl, cacheMaxAge: 60 };
    const { dispatch, settings } = await startService(t, { ...files, 'launch.png': 'png' }, options);
    const answers = new Map<string, { text: string; tags: string[] }>();
    for (const url of questions) {
      const { statusCode, headers, body } = await dispatch(url);
      answers.set(url, { text: `${statusCode} ${body}`, tags: String(headers['cache-tag']).split(',') });
    }
    return { set: await contentOf(settings), answers };
  };
  const before = await open(shop);
  let different = 0;
  for (const [change, files, expected] of cases) {
    const after = await open(files);
    const tags = changedTags(before.set, after.set);
    assert.deepEqual(tags, expected, change);
    const withoutImages = expected.filter(tag => tag !== 'images');
    assert.deepEqual(changedTags(after.set, before.set), withoutImages, change);
    for (const [url, { text, tags: own }] of before.answers) {
      if (text === after.answers.get(url)?.text) continue;
      different += 1;
      const isPurged = own.some(tag => tags.includes(tag));
      assert.ok(isPurged, `${change}: ${url} has ${own}, but ${tags} are purged`);
    }
  }
  assert.ok(different > cases.length, String(different));
});

test('many products or categories are purged by their kind', async t => {
  const ids = Array.from({ length: 60 }, (_, index) => index + 1);
  const files = (cpu: number, title: string): Files => ({
    'products.json': ids.map(id => ({ id, name: `P${id}` })),
    'configurations.json': ids.map(id => ({ id, product_id: id, name: 'C', cpu, memory: 1 })),
    'news_types.json': ids.map(id => ({ id, name: `T${id}` })),
    'news.json': ids.map(id => ({ id, title, content: 'text', create_time: 1_700_000_000, type_id: id })),
  });
  const [one, other] = [await writeFiles(t, files(1, 'a')), await writeFiles(t, files(2, 'b'))];
  const tags = changedTags(await contentOf(sourceIn(one)), await contentOf(sourceIn(other)));
  assert.deepEqual(tags, ['configurations', 'news', 'prices']);
});
