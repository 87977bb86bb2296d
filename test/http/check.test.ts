import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect } from 'node:net';
import { type TestContext, test } from 'node:test';
import type { Settings } from '../../src/settings/settings.ts';
import { shop, writeInto } from '../support/catalogs.ts';
import { assertForetold, checkOf } from '../support/http/checks.ts';
import { drastic, priced } from '../support/http/histories.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';
import { skipInQuickRun } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const text = '---\ncreate_time: 2024-05-01\n---\n# Title\n\nText\n';

const news = 'id,title,content,create_time\n1,A,B,2024-01-01\n';

const foretold = [
  ['a drastic change', drastic, 'held'],
  ['a second form of a catalog', { 'news.csv': news }, 'failed'],
  ['a change while a version is pinned', priced('18.99'), 'pinned', true],
] as const;
/** Like these. Each starts a service, and saves. */
const others = [
  ['another price', priced('18.99'), 'loaded'],
  ['what is live', shop, 'unchanged'],
  ['an error', priced('"18,99"'), 'failed'],
  ['Markdown beside another form', { 'news/9-a.md': text }, 'loaded'],
  ['a name that is none', { 'price.csv': 'x\n' }, 'unchanged'],
  ['a drastic change while a version is pinned', drastic, 'pinned', true],
] as const;

for (const [cases, skip] of [[foretold, false] as const, [others, skipInQuickRun] as const])
  for (const [what, files, outcome, isPinned] of cases)
    test(`a check foretells what becomes of ${what}`, { skip }, async t => {
      assert.equal(await assertForetold(t, what, shop, files, {}, isPinned), outcome);
    });

const start = (t: TestContext, options: Partial<Settings> = {}) =>
  startService(t, shop, { previewToken, logLevel: 'silent', ...options });

test('what is no form with files is refused with a sentence', async t => {
  const { ask } = await start(t);
  const { payload, headers } = await checkOf(priced('18.99'));
  for (const [body, contentType] of [
    [payload.subarray(0, payload.length - 40), headers['content-type']],
    ['files=a', 'application/x-www-form-urlencoded'],
    [
      '--x\r\nContent-Disposition: form-data; name="other"; filename="prices.csv"\r\n\r\nx\r\n--x--\r\n',
      'multipart/form-data; boundary=x',
    ],
  ] as const) {
    const request = { method: 'POST', payload: body, headers: { ...bearer, 'content-type': contentType } };
    const { status, body: envelope } = await ask('/check', request);
    assert.equal(status, 400, contentType);
    assert.equal(
      envelope.message,
      'malformed request: send the files as multipart/form-data, in fields named files',
    );
  }
});

test('a file may have MAX_FILE_MB, and the form twice that', async t => {
  const { ask, services } = await start(t, { maxFileMb: 1 });
  const megabytes = (number: number) => Buffer.alloc(number * 2 ** 20, 'x');
  const { data } = await ask('/check', await checkOf({ 'prices.csv': megabytes(1.5) }));
  assert.deepEqual(
    [data.outcome, data.problems.map(({ code }: { code: string }) => code)],
    ['failed', ['FILE_TOO_BIG', 'NO_IMAGE']],
  );
  const large = await checkOf({ 'prices.csv': megabytes(3) });
  const refused = await ask('/check', large);
  assert.deepEqual([refused.status, refused.data.error], [413, 'FORM_TOO_LARGE']);
  const chunked = { ...large, headers: { ...large.headers, 'transfer-encoding': 'chunked' } };
  assert.equal((await ask('/check', chunked)).status, 413);
  assert.equal((await ask('/check', await checkOf(priced('18.99')))).data.outcome, 'loaded');
  assert.equal(services.catalog.status().attempt?.outcome, 'loaded');
});

test('of 50 checks at once, one is answered and the others are 503', async t => {
  const { ask } = await start(t);
  const check = await checkOf(priced('18.99'));
  const answers = await Promise.all(Array.from({ length: 50 }, () => ask('/check', check)));
  const refused = answers.filter(({ status }) => status !== 200);
  assert.equal(refused.length, 49);
  for (const { status, data, headers } of refused)
    assert.deepEqual([status, data.error, headers['retry-after']], [503, 'CHECK_BUSY', '1']);
  assert.equal((await ask('/check', check)).status, 200);
});

/** Sends the beginning of a form, and resolves when its check is under way. */
async function begin({ app, ask, listen }: Awaited<ReturnType<typeof start>>) {
  const { payload, headers } = await checkOf(priced('18.99'));
  const socket = connect(await listen(), '127.0.0.1');
  const lines = Object.entries({ host: 'a', ...headers, 'content-length': payload.length });
  const arrival = once(app.server, 'request');
  socket.write(`POST /check HTTP/1.1\r\n${lines.map(pair => pair.join(': ')).join('\r\n')}\r\n\r\n`);
  socket.write(payload.subarray(0, 100));
  await arrival;
  assert.equal((await ask('/check', await checkOf({}))).status, 503);
  return socket;
}

test('a form that is cut off leaves nothing behind, and the next check is answered', async t => {
  const service = await start(t);
  const { ask, settings } = service;
  const before = await readdir(settings.stateDir, { recursive: true });
  const socket = await begin(service);
  socket.destroy();
  const { data } = await until(t, async () => {
    const answer = await ask('/check', await checkOf(priced('18.99')));
    return answer.status === 200 ? answer : undefined;
  });
  assert.equal(data.outcome, 'loaded');
  assert.deepEqual(await readdir(settings.stateDir, { recursive: true }), before);
});

test('a check gives way to a save', async t => {
  const service = await start(t);
  const { settings, services } = service;
  const { catalog } = services;
  const before = catalog.snapshot();
  const socket = await begin(service);
  await writeInto(settings.catalogDir, priced('17.99'));
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1.1 503 .*"error":"CHECK_BUSY"/s);
  socket.destroy();
  await until(t, async () => (catalog.snapshot() === before ? undefined : true));
});
