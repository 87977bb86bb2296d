import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Writable } from 'node:stream';
import { test } from 'node:test';
import { pino } from 'pino';
import { createVitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { priced, startHistory } from '../support/http/histories.ts';
import { bearer, files, previewToken } from '../support/http/previews.ts';
import { until } from '../support/until.ts';
import { converse, envelopeCode } from '../support/wire.ts';

test('pin rolls back to a version, or its first digits, and unpin loads the files again', async t => {
  const { ask, post, serves, controlFile, versions } = await startHistory(t, [priced('24.99')]);
  const [one = '', two = ''] = versions;
  const pinned = await post(`/history/${one.slice(0, 6)}/pin`);
  assert.deepEqual([pinned.status, pinned.data], [200, { action: 'pin', version: one }]);
  assert.equal(pinned.headers['cache-control'], 'no-store');
  assert.equal(await controlFile('pin'), `${one}\n`);
  assert.equal((await serves(one)).pinned.version, one);
  const unpinned = await post('/history/unpin');
  assert.deepEqual([unpinned.status, unpinned.data], [200, { action: 'unpin', version: one }]);
  assert.equal(await controlFile('pin'), undefined);
  assert.equal((await serves(two)).pinned, null);
  assert.deepEqual((await post('/history/unpin')).data, { action: 'unpin', version: null });
  assert.equal((await ask('/health')).data.status, 'ok');
});

test('publish confirms the set that is held back, and no other', async t => {
  const { post, hold, serves, controlFile, versions } = await startHistory(t, []);
  const [one = ''] = versions;
  const nothing = await post(`/history/${one}/publish`);
  assert.deepEqual([nothing.status, nothing.data.error], [404, 'NOTHING_HELD']);
  const held = await hold();
  for (const wrong of [one, held.slice(0, 5), `${held}0`]) {
    const { status, body } = await post(`/history/${wrong}/publish`);
    assert.deepEqual([status, body.data.error], [409, 'NOT_HELD']);
    assert.equal(body.message, `version ${wrong} is not held back, but ${held} is`);
  }
  assert.equal(await controlFile('publish'), undefined);
  const { data } = await post(`/history/${held.slice(0, 6)}/publish`);
  assert.deepEqual(data, { action: 'publish', version: held });
  assert.equal(await controlFile('publish'), `${held}\n`);
  assert.equal((await serves(held)).held, null);
});

test('a version that is not in the history, or damaged, is refused with a sentence', async t => {
  const { post, controlFile, stateDir, versions } = await startHistory(t, [priced('24.99')]);
  const [one = '', two = ''] = versions;
  const typo = `${one.slice(0, 11)}${one.endsWith('0') ? '1' : '0'}`;
  const history = join(stateDir, 'history');
  const [oldest = ''] = (await readdir(history)).filter(name => name.endsWith('.json')).sort();
  const entry = JSON.parse(await readFile(join(history, oldest), 'utf8'));
  const { sha256 } = entry.files.find(({ catalog }: { catalog: string }) => catalog === 'prices');
  await writeFile(join(history, 'files', `${sha256}.gz`), 'damaged');
  for (const [version, status, error, message] of [
    [typo, 404, 'VERSION_NOT_FOUND', `version ${typo} is not in the history: did you mean ${one}?`],
    ['shop', 404, 'VERSION_NOT_FOUND', `version shop is not in the history: the newest is ${two}`],
    ['%0A', 404, 'VERSION_NOT_FOUND', `version \\u000a is not in the history: the newest is ${two}`],
    ['x'.repeat(65), 400, 'INVALID_PARAMETER', 'version must be a text of at most 64 characters'],
    [
      ...[one, 409, 'VERSION_DAMAGED'],
      `version ${one} cannot be served: its files in the history are damaged or missing`,
    ],
  ] as const) {
    const answer = await post(`/history/${version}/pin`);
    assert.deepEqual([answer.status, answer.data.error, answer.body.message], [status, error, message]);
  }
  assert.equal(await controlFile('pin'), undefined);
  assert.ok((await readdir(join(history, 'files'))).includes(`${sha256}.gz.damaged`));
});

test('a pin beside the catalogs outlasts unpin, which says so without naming the directory', async t => {
  const { post, catalogDir, versions } = await startHistory(t, []);
  await writeFile(join(catalogDir, 'pin'), String(versions[0]));
  const { status, body } = await post('/history/unpin');
  assert.deepEqual([status, body.data.error], [409, 'STILL_PINNED']);
  assert.equal(
    body.message,
    `a file pin beside the catalogs still pins version ${versions[0]}, for every service of these catalogs: delete that file`,
  );
});

test('a state directory that cannot be written is an error with the reason of the system', async t => {
  const { post, stateDir, versions } = await startHistory(t, []);
  await mkdir(join(stateDir, 'history', 'pin', 'full'), { recursive: true });
  const { status, body } = await post(`/history/${versions[0]}/pin`);
  assert.deepEqual([status, body.data.error], [500, 'HISTORY_UNAVAILABLE']);
  assert.match(body.message, /^the history in the state directory cannot be used: [a-z ]+$/);
  assert.doesNotMatch(body.message, /\//);
});

test('requests at the same moment are followed one after the other', async t => {
  const { post, versions, controlFile } = await startHistory(t, [priced('24.99')]);
  const [one, two] = versions;
  const paths = Array.from({ length: 6 }, (_, index) => `/history/${index % 2 === 0 ? one : two}/pin`);
  const answers = await Promise.all(paths.map(path => post(path)));
  for (const { status } of answers) assert.equal(status, 200);
  assert.equal(await controlFile('pin'), `${two}\n`);
});

test('a body is ignored, whatever it is, and the connection stays in order', async t => {
  const { listen, controlFile } = await startHistory(t, []);
  const port = await listen();
  for (const [headers, body] of [
    ['Content-Type: application/json\r\nContent-Length: 4\r\n', '{bad'],
    ['Content-Type: what/ever\r\nContent-Length: 2\r\n', 'hi'],
    ['Content-Length: 2\r\n', 'hi'],
    ['Transfer-Encoding: chunked\r\n', '2\r\nhi\r\n0\r\n\r\n'],
    ['Content-Length: 2000000\r\n', 'a'.repeat(2_000_000)],
  ] as const) {
    const head = `POST /history/unpin HTTP/1.1\r\nHost: a\r\nAuthorization: ${bearer.authorization}\r\n`;
    const { answers, closed } = await converse(port, Buffer.from(`${head}${headers}\r\n${body}`));
    assert.deepEqual([answers.map(envelopeCode), closed], [['ok'], false], headers);
  }
  assert.equal(await controlFile('pin'), undefined);
});

test('the log has one line for each request that was followed, with the client and without the token', async t => {
  const dir = await writeFiles(t, files);
  let lines = '';
  const stream = new Writable({
    write(chunk, _encoding, done) {
      lines += chunk;
      done();
    },
  });
  const app = await createVitrine({
    ...{ catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state'), previewToken },
    ...{ logger: pino(stream), signals: false, drainMs: 0, trustProxy: ['127.0.0.1'] },
  });
  afterTest(t, () => app.close());
  const ask = (method: 'GET' | 'POST', url: string) =>
    app.inject({ method, url, headers: { ...bearer, 'x-forwarded-for': '192.0.2.7' } });
  const version = await until(t, async () => (await ask('GET', '/history')).json().data.list[0]?.version);
  await ask('POST', `/history/${version}/pin`);
  await ask('POST', '/history/unpin');
  await ask('POST', '/history/abcdef/pin');
  const logged = lines
    .split('\n')
    .filter(line => line.includes('requested'))
    .map(line => JSON.parse(line))
    .map(({ level, client, version, msg }) => ({ level, client, version, msg }));
  assert.deepEqual(logged, [
    { level: 30, client: '192.0.2.7', version, msg: 'pin requested through the history' },
    { level: 30, client: '192.0.2.7', version, msg: 'unpin requested through the history' },
  ]);
  assert.ok(!lines.includes(previewToken.slice(0, 10)));
});
