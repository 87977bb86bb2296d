import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startService } from '../support/service.ts';

test('has the fields of the contract in order, with the count after this read', async t => {
  const { ask } = await startService(t);
  assert.equal((await ask('/api/news?type_id=1')).data.list[1].read, 100);
  const { data } = await ask('/api/news/1');
  assert.deepEqual(Object.entries(data), [
    ['id', 1],
    ['title', 'We are open'],
    ['content', '<p>Come <b>in</b></p>'],
    ['keywords', 'launch,opening'],
    ['img', 'launch.png'],
    ['read', 101],
    ['create_time_formatted', '2024-01-05 10:00:00'],
  ]);
});

test('100 concurrent reads return 100 different counts, and the list then shows the last', async t => {
  const { ask } = await startService(t);
  const answers = await Promise.all(Array.from({ length: 100 }, () => ask('/api/news/1')));
  const reads = answers.map(({ data }) => data.read).sort((a, b) => a - b);
  assert.deepEqual(
    reads,
    Array.from({ length: 100 }, (_, index) => 101 + index),
  );
  assert.equal((await ask('/api/news?type_id=1')).data.list[1].read, 200);
});

test('only a GET with status 200 counts as a read', async t => {
  const { ask } = await startService(t);
  const head = await ask('/api/news/2', { method: 'HEAD' });
  assert.equal(head.status, 200);
  assert.equal(head.text, '');
  await ask('/api/news/2', { method: 'POST' });
  await ask('/api/news/2', {
    method: 'OPTIONS',
    headers: { origin: 'https://a.test', 'access-control-request-method': 'GET' },
  });
  await ask('/api/news/2?id=3', { method: 'DELETE' });
  await ask('/api/news');
  await ask('/api/news?keyword=restart');
  const get = await ask('/api/news/2');
  assert.equal(get.data.read, 1);
  assert.equal(head.headers['content-length'], get.headers['content-length']);
});

test('is never stored, and has no ETag', async t => {
  const { ask } = await startService(t);
  const { headers } = await ask('/api/news/1', { headers: { 'if-none-match': '*' } });
  assert.equal(headers['cache-control'], 'no-store');
  assert.equal(headers.etag, undefined);
});

test('is 404 if it is unknown, hidden or not yet published', async t => {
  const { ask } = await startService(t);
  for (const id of [5, 6, 999999, 9007199254740991]) {
    const { status, body } = await ask(`/api/news/${id}`);
    assert.equal(status, 404);
    assert.equal(body.data.error, 'NEWS_NOT_FOUND');
    assert.equal(body.message, `news item ${id} not found`);
  }
});
