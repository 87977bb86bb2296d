import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const PUBLISH = 1_700_002_000;
const UNPUBLISH = 1_700_003_000;

const row = { content: 'text', create_time: 1_700_000_001, type_id: 1, read: 7 };
const files = {
  ...shopWith({
    'news.json': [
      { ...row, id: 1, title: 'Offer', publish_time: PUBLISH, unpublish_time: UNPUBLISH, img: 'offer.png' },
      { ...row, id: 2, title: 'Lasting', unpublish_time: 0, img: 'shared.png' },
      { ...row, id: 3, title: 'Ends first', unpublish_time: PUBLISH - 500, img: 'shared.png' },
    ],
  }),
  'offer.png': Buffer.from('offer'),
  'shared.png': Buffer.from('shared'),
};

test('an item is shown from its publish_time until just before its unpublish_time, wherever items are shown', async t => {
  let now = PUBLISH;
  const newsUrl = 'https://example.com/news/{id}';
  const { ask, dispatch } = await startService(t, files, { newsUrl }, () => now);
  const listed = async (query: string, url = '/api/news'): Promise<number[]> =>
    (await ask(`${url}?${query}`)).data.list.map(({ id }: { id: number }) => id);
  const status = async (url: string) => (await dispatch(url)).statusCode;
  const overview = async () => (await ask('/overview')).data;

  const cases: [now: number, ids: number[]][] = [
    [PUBLISH - 501, [3, 2]],
    [PUBLISH - 500, [2]],
    [PUBLISH - 1, [2]],
    [PUBLISH, [2, 1]],
    [UNPUBLISH - 1, [2, 1]],
    [UNPUBLISH, [2]],
    [UNPUBLISH + 86_400 * 3650, [2]],
    // The clock is set back.
    [UNPUBLISH - 0.5, [2, 1]],
    [PUBLISH - 600, [3, 2]],
    [UNPUBLISH, [2]],
  ];
  let [etag, last] = ['"a"', ''];
  for (const [moment, ids] of cases) {
    now = moment;
    const [shows, showsFirst] = [ids.includes(1), ids.includes(3)];
    const known = await dispatch({ url: '/api/news', headers: { 'if-none-match': etag } });
    if (String(ids) !== last) assert.equal(known.statusCode, 200, 'a client gets the new list');
    last = String(ids);
    etag = String(known.headers.etag);
    for (const query of ['', 'type_id=1', 'ids=1,2,3']) assert.deepEqual(await listed(query), ids, query);
    assert.deepEqual(await listed('keyword=offer'), shows ? [1] : []);
    assert.deepEqual(await listed('keyword=ends+first'), showsFirst ? [3] : []);
    for (const url of ['/api/news/1', '/images/offer.png'])
      assert.equal(await status(url), shows ? 200 : 404, `${url} at ${now}`);
    assert.equal(await status('/images/shared.png'), 200, 'the image of another item');
    const { most_read } = await overview();
    const mostRead = most_read.map(({ id }: { id: number }) => id).sort();
    assert.deepEqual(mostRead, ids.toSorted());
    for (const feed of ['atom', 'rss', 'json']) {
      const { body } = await dispatch(`/feeds/news.${feed}`);
      assert.deepEqual([/Offer/.test(body), /Ends first/.test(body)], [shows, showsFirst], feed);
    }
    const { body } = await dispatch('/metrics');
    assert.match(body, new RegExp(`vitrine_catalog_rows{catalog="news"} ${ids.length}\n`));
  }
  now = UNPUBLISH - 1;
  assert.equal((await ask('/api/news/1')).data.read, 11, 'only reads of what is shown are counted');
});
