import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { connect, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Health } from '../../src/contract/health.ts';
import type { CheckAnswer, CheckOutcome } from '../../src/contract/history.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { drastic, type Files, priced, shop, writeInto } from '../support/catalogs.ts';
import { bearer, previewToken, startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { envelopeCode, readAnswers } from '../support/wire.ts';

async function checkOf(files: Files, fields: Record<string, string> = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [name, content] of Object.entries(files)) {
    const bytes = Array.isArray(content) ? JSON.stringify(content) : (content ?? '');
    form.append('files', new File([bytes], name), name);
  }
  const whole = new Response(form);
  const contentType = String(whole.headers.get('content-type'));
  const payload = new Uint8Array(await whole.arrayBuffer());
  return { method: 'POST', payload, headers: { ...bearer, 'content-type': contentType } };
}

const markdown = '---\ncreate_time: 2024-05-01\n---\n# Title\n\nText\n';
const table = 'id,title,content,create_time\n1,A,B,2024-01-01\n';
/** A product with a configuration and a price: each change is named after rows that are not live. */
const newRows: Files = {
  'products.json': [...(shop['products.json'] as object[]), { id: 9, name: 'Nine' }],
  'configurations.csv': `${shop['configurations.csv']}99,9,Best,1,1,,\n`,
  'prices.csv': `${shop['prices.csv']}999,9,99,4,5\n`,
};
/** Files that are saved one after the other, and what becomes of them; a version may be pinned meanwhile. */
const saves: [what: string, files: Files, outcome: CheckOutcome, isPinned?: true][] = [
  ['what is live', { 'prices.csv': String(shop['prices.csv']) }, 'unchanged'],
  ['a name that is none', { 'price.csv': 'x\n' }, 'unchanged'],
  ['a drastic change', drastic, 'held'],
  ['a drastic change while a version is pinned', drastic, 'pinned', true],
  ['another price', priced('18.99'), 'loaded'],
  ['a change while a version is pinned', priced('17.99'), 'pinned', true],
  ['an error', priced('"18,99"'), 'failed'],
  [
    'bytes of UTF-16',
    { 'prices.csv': Buffer.from(`\uFEFF${priced('16.99')['prices.csv']}`, 'utf16le') },
    'loaded',
  ],
  ['Markdown beside another form', { ...priced('17.99'), 'news/9-a.md': markdown }, 'loaded'],
  ['new rows', newRows, 'loaded'],
  ['a second form of a catalog', { 'news.csv': table }, 'failed'],
];

/** Without the time. */
function changesOf(changes: CheckAnswer['changes']): object | undefined {
  if (!changes || changes.from === null) return undefined;
  const { time, ...others } = changes;
  return others;
}

test('a check says what becomes of files that are then saved, and changes nothing', async t => {
  const { ask, services, settings } = await startService(t, shop, { previewToken });
  const { catalog } = services;
  const get = async (url: string) => (await ask(url, { headers: bearer })).data;
  const act = (url: string) => ask(url, { method: 'POST', headers: bearer });
  for (const [what, files, expected, isPinned] of saves) {
    await t.test(what, async t => {
      if (isPinned) await act(`/history/${catalog.snapshot()?.version}/pin`);
      if (isPinned) await until(t, async () => catalog.status().pinned);
      const before = catalog.status().attempt;
      const { data } = await ask('/check', await checkOf(files));
      const { outcome, verdict, complete, not_read, version, reasons, changes, ...foretold }: CheckAnswer =
        data;
      assert.equal(outcome, expected);
      assert.equal(catalog.status().attempt, before);
      await writeInto(settings.catalogDir, files);
      if (isPinned) await act('/history/unpin');
      const { held, last_attempt }: Health = await until(t, async () => {
        const { attempt, loading } = catalog.status();
        return attempt !== before && !loading ? get('/health') : undefined;
      });
      const { outcome: happened, changes: summary, time, ...seen } = last_attempt ?? assert.fail();
      if (!isPinned) assert.equal(happened === 'pending' ? 'failed' : happened, expected);
      assert.deepEqual([foretold, reasons], [seen, held?.reasons ?? []]);
      if (outcome === 'loaded') assert.equal(verdict, `These files would go live: ${summary}.`);
      const path = happened === 'held' ? '/preview/held/changes?limit=100' : '/changes?limit=100';
      const hasChanges = happened === 'held' || happened === 'loaded';
      assert.deepEqual(changesOf(changes), hasChanges ? changesOf(await get(path)) : undefined);
    });
  }
});

const text = '---\ncreate_time: 2024-05-01\nimg: new.png\n---\n# Title\n\nText\n';
const cheaper = priced('18.99')['prices.csv'] ?? '';
const changed = 'would go live: 1 price changed.';
const OTHER = 'this file is not read: it is not one of the files of the catalog folder';
/** What is dropped, the verdict, and which files are not read, or begin to say why. */
const drops: [
  files: Files,
  verdict: string,
  notRead: Record<string, string>,
  fields?: Record<string, string>,
][] = [
  [{ 'angebot.docx': 'x' }, 'None of these files would be read.', { 'angebot.docx': OTHER }],
  [{ 'shop/catalog/prices.csv': cheaper }, `These files ${changed}`, {}],
  [
    { 'shop/catalog/prices.csv': cheaper, 'shop/_old/prices.csv': '', 'shop/catalog/old/prices.csv': '' },
    `Not read: 2 files. The catalog files among these ${changed}`,
    {
      'shop/_old/prices.csv': 'drafts and names',
      'shop/catalog/old/prices.csv': 'this file is not read, only',
    },
  ],
  [
    { 'prices.csv': String(shop['prices.csv']), 'list.pdf': 'x' },
    'Not read: 1 file. The catalog files among these match what is already live.',
    { 'list.pdf': OTHER },
  ],
  [
    { 'a/prices.csv': 'x', 'a/./prices.csv': cheaper },
    `Not read: 1 file. The catalog files among these ${changed}`,
    { 'a/prices.csv': 'this file is not read: another of these' },
  ],
  [
    { '9-a.markdown': text, 'new.png': 'image', 'other.png': 'image' },
    'Not read: 1 file. The catalog files among these would go live: 1 news item added, column content_format of news new.',
    { 'other.png': 'this image is not read' },
  ],
  [
    { 'launch.png': 'x' },
    'News items name these images, and find them. The catalog files stay as they are.',
    {},
  ],
  [
    { ...shop, 'news.json': null },
    'Not read: 1 file. The catalog files among these would be held back: news.json is gone: put it back',
    { 'list.pdf': OTHER },
    { complete: 'true', names: '7 list.pdf' },
  ],
  [
    { ...shop, 'prices.csv': null, 'prices.json': [] },
    'These files would be held back: 7 of 7 prices would disappear: save the whole file again',
    {},
    { complete: 'true', names: '' },
  ],
  [{}, 'These files would be refused: 1 error.', {}, { names: '7 prices.csv' }],
];

test('a check names the files that are not read, and says nothing else about them', async t => {
  const { ask } = await startService(t, shop, { previewToken });
  for (const [files, verdict, notRead, fields = {}] of drops) {
    const sent = Object.fromEntries(Object.entries(files).filter(([, content]) => content !== null));
    const { data } = await ask('/check', await checkOf(sent, fields));
    assert.deepEqual([data.verdict, data.complete], [verdict, fields.complete === 'true']);
    const { not_read }: CheckAnswer = data;
    const said = not_read.map(({ file, message }) => [file, message.slice(0, notRead[file]?.length)]);
    assert.deepEqual(Object.fromEntries(said), notRead, verdict);
    assert.doesNotMatch(JSON.stringify(data.problems), /new\.png is not/);
  }
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
    const message = 'malformed request: send the files as multipart/form-data, in fields named files';
    assert.deepEqual([status, envelope.message], [400, message], contentType);
  }
});

test('a file may have MAX_FILE_MB, and the form twice that', async t => {
  const { ask, services } = await start(t, { maxFileMb: 1 });
  const megabytes = (number: number) => Buffer.alloc(number * 2 ** 20, 'x');
  const { data } = await ask('/check', await checkOf({ 'prices.csv': megabytes(1.5) }));
  const codes = data.problems.map(({ code }: { code: string }) => code);
  assert.deepEqual([data.outcome, codes], ['failed', ['FILE_TOO_BIG', 'NO_IMAGE']]);
  const large = await checkOf({ 'prices.csv': megabytes(3) });
  const refused = await ask('/check', large);
  assert.deepEqual([refused.status, refused.data.error], [413, 'FORM_TOO_LARGE']);
  const chunked = { ...large, headers: { ...large.headers, 'transfer-encoding': 'chunked' } };
  assert.equal((await ask('/check', chunked)).status, 413);
  assert.equal((await ask('/check', await checkOf(priced('18.99')))).data.outcome, 'loaded');
  assert.equal(services.catalog.status().attempt?.outcome, 'loaded');
});

test('of the changes of a form, the answer lists the first 100', async t => {
  const { ask } = await start(t);
  const products = Array.from({ length: 101 }, (_, index) => ({ id: index + 1, name: 'A' }));
  const { data } = await ask('/check', await checkOf({ 'products.json': products }));
  assert.deepEqual([data.changes.list.length, data.changes.catalogs[0].added], [100, 98]);
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

/** Opens a connection and sends the head of a check of these files; returns their form, which is still to be sent. */
async function connectFor({ listen }: Awaited<ReturnType<typeof start>>, files: Files) {
  const { payload, headers } = await checkOf(files);
  const socket = connect(await listen(), '127.0.0.1');
  const lines = Object.entries({ host: 'a', ...headers, 'content-length': payload.length });
  socket.write(`POST /check HTTP/1.1\r\n${lines.map(pair => pair.join(': ')).join('\r\n')}\r\n\r\n`);
  return { socket, payload };
}

/** Sends the beginning of a form, and resolves when its check is under way. */
async function begin(service: Awaited<ReturnType<typeof start>>) {
  const { app, ask } = service;
  const arrival = once(app.server, 'request');
  const { socket, payload } = await connectFor(service, priced('18.99'));
  socket.write(payload.subarray(0, 100));
  await arrival;
  assert.equal((await ask('/check', await checkOf({}))).status, 503);
  return socket;
}

for (const fate of ['cut off', 'late'])
  test(`a form that is ${fate} leaves nothing behind, and the next check is answered`, async t => {
    const service = await start(t, { clientTimeoutMs: 1000 });
    const { ask, settings } = service;
    const before = await readdir(settings.stateDir, { recursive: true });
    const socket = await begin(service);
    if (fate === 'late') assert.deepEqual((await readAnswers(socket)).map(envelopeCode), ['REQUEST_TIMEOUT']);
    socket.destroy();
    const { data } = await until(t, async () => {
      const answer = await ask('/check', await checkOf(priced('18.99')));
      return answer.status === 200 ? answer : undefined;
    });
    assert.equal(data.outcome, 'loaded');
    assert.deepEqual(await readdir(settings.stateDir, { recursive: true }), before);
  });

test('a form may take longer than a request, if enough of it arrives each second', async t => {
  const service = await start(t, { clientTimeoutMs: 300 });
  const { socket, payload } = await connectFor(service, { 'prices.csv': 'x'.repeat(20_000) });
  for (let sent = 0; sent < payload.length; sent += 400) {
    socket.write(payload.subarray(sent, sent + 400));
    await delay(20);
  }
  const [answer] = await once(socket, 'data');
  assert.match(String(answer), /^HTTP\/1.1 200 .*"outcome":"failed"/s);
  socket.destroy();
});

test('a client that leaves ends its check', async t => {
  const service = await start(t);
  let socket: Socket | undefined;
  const { catalog } = service.services;
  const ended = new Promise(resolve => {
    t.mock.method(catalog, 'check', (...[, , signal]: Parameters<typeof catalog.check>) => {
      signal.addEventListener('abort', () => resolve(signal.reason.message));
      socket?.destroy();
      return new Promise(() => {});
    });
  });
  const begun = await connectFor(service, priced('18.99'));
  socket = begun.socket;
  socket.write(begun.payload);
  assert.equal(await ended, 'malformed request: the client has left');
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
