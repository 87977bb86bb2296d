import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shop, shopWith } from '../support/catalogs.ts';
import { feeds, newsOf, newsUrl, pageOf } from '../support/http/feeds.ts';
import { NOW, startService } from '../support/service.ts';

test('a feed has an ETag, is revalidated with 304, and answers HEAD like GET', async t => {
  const { dispatch } = await startService(t, shop, { newsUrl });
  const withTypes = feeds.flatMap(([path, type]) =>
    ['', '?type_id=1', '?type_id=77'].map(query => [path + query, type] as const),
  );
  for (const [url, type] of withTypes) {
    const { headers, rawPayload } = await dispatch(url);
    const etag = String(headers.etag);
    assert.match(etag, /^(W\/)?"[\w-]+"$/);
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['content-type'], type);
    assert.equal(headers['content-length'], String(rawPayload.length));
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.match(String(headers['catalog-version']), /^[0-9a-f]+$/);
    for (const method of ['GET', 'HEAD'] as const) {
      const known = await dispatch({ url, method, headers: { 'if-none-match': `"other", ${etag}` } });
      assert.deepEqual([known.statusCode, known.body, known.headers.etag], [304, '', etag]);
      assert.equal(known.headers['catalog-version'], headers['catalog-version']);
    }
    const unknown = await dispatch({ url, headers: { 'if-none-match': '"other"' } });
    assert.deepEqual([unknown.statusCode, unknown.rawPayload], [200, rawPayload]);
    const head = await dispatch({ url, method: 'HEAD' });
    assert.deepEqual([head.statusCode, head.body], [200, '']);
    for (const name of ['etag', 'content-type', 'content-length', 'cache-control', 'catalog-version']) {
      assert.equal(head.headers[name], headers[name], name);
    }
  }
});

test('every replica sends the same bytes, whatever its mount point, the notation of its files and the Host header', async t => {
  const one = await startService(t, shop, { newsUrl });
  const rows = shop['news.json'] as { id: number }[];
  const files = shopWith({ 'news.json': rows.toReversed() });
  const other = await startService(t, files, { newsUrl, basePath: '/shop' }, () => NOW + 1000);
  for (const [path] of feeds) {
    const [here, there] = [
      await one.dispatch({ url: path, headers: { host: 'a.test' } }),
      await other.dispatch({
        url: `/shop${path}`,
        headers: { host: 'b.test', 'x-forwarded-host': 'c.test' },
      }),
    ];
    assert.equal(there.statusCode, 200);
    assert.deepEqual([there.body, there.headers.etag], [here.body, here.headers.etag]);
  }
});

test('an item appears in the feeds at its publish_time, and disappears if the clock is set back', async t => {
  const files = newsOf({ publish_time: 1_700_002_000 }, {}, { hidden: true });
  let now = 1_700_001_000;
  const { dispatch } = await startService(t, files, { newsUrl }, () => now);
  for (const [path, , read] of feeds) {
    const seen = [];
    for (const time of [1_700_001_999, 1_700_002_000, 1_700_002_001, 1_700_001_999]) {
      now = time;
      const { body, headers } = await dispatch(path);
      seen.push([read(body).items.map(({ id }) => id), headers.etag] as const);
    }
    assert.deepEqual(
      seen.map(([ids]) => ids),
      [[pageOf(2)], [pageOf(1), pageOf(2)], [pageOf(1), pageOf(2)], [pageOf(2)]],
      path,
    );
    const [before, at, after, back] = seen.map(([, tag]) => tag);
    assert.deepEqual([before, at], [back, after]);
    assert.notEqual(before, at);
  }
});

test('feeds count no reads, and reads change no feed', async t => {
  const { dispatch, ask } = await startService(t, shop, { newsUrl });
  for (const [path] of feeds) {
    const before = await dispatch(path);
    assert.doesNotMatch(before.body, /read|100/);
    const { read } = (await ask('/api/news/1')).data;
    for (let time = 0; time < 3; time += 1) await dispatch(path);
    assert.equal((await ask('/api/news/1')).data.read, read + 1, path);
    assert.equal((await dispatch(path)).headers.etag, before.headers.etag);
  }
});
