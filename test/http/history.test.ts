import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { drastic, priced } from '../support/catalogs.ts';
import { runCommand } from '../support/command.ts';
import { startHistory } from '../support/histories.ts';
import { bearer, cookie } from '../support/service.ts';
import { until } from '../support/until.ts';
import { converse, envelopeCode } from '../support/wire.ts';

const origin = 'https://a.test';

test('the history lists what vitrine history lists, newest first, in pages, and marks what is served', async t => {
  const { ask, stateDir, versions } = await startHistory(t, [priced('24.99'), priced('19.99')]);
  const [one, two, three] = versions;
  assert.equal(one, three);
  const { status, headers, data } = await ask('/history');
  const { stdout } = await runCommand(['history', '--json', '--state-dir', stateDir]);
  assert.deepEqual({ list: data.list, held: null }, JSON.parse(stdout));
  assert.deepEqual([status, headers['cache-control'], headers.etag], [200, 'no-store', undefined]);
  const seen = data.list.map(({ version, changes, rows, state }: Record<string, unknown>) =>
    [version, changes, rows, state].join(),
  );
  assert.deepEqual(seen, [`${three},1 price changed,28,served`, `${two},1 price changed,28,`, `${one},,28,`]);
  for (const [page, list] of [
    [1, data.list.slice(0, 2)],
    [2, data.list.slice(2)],
    [3, []],
  ] as const) {
    const { data: seen, headers } = await ask(`/history?page=${page}&limit=2`);
    assert.deepEqual([seen.list, seen.pagination], [list, { current_page: page, total: 3 }]);
    if (page === 1) assert.equal(headers.link, '<?page=2&limit=2>; rel="next"');
  }
  assert.equal((await ask('/history?limit=0')).data.error, 'INVALID_PARAMETER');
  const head = await ask('/history', { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
});

test('pin rolls back to a version, unpin loads the files again, and publish confirms what is held back and no other', async t => {
  const service = await startHistory(t, [priced('24.99')]);
  const { ask, post, hold, serves, controlFile, stateDir, versions } = service;
  const [one = '', two = ''] = versions;
  const newest = async () => (await ask('/history')).data.list[0];
  const pinned = await post(`/history/${one.slice(0, 6)}/pin`);
  assert.deepEqual([pinned.status, pinned.data], [200, { action: 'pin', version: one }]);
  assert.equal(pinned.headers['cache-control'], 'no-store');
  assert.equal(await controlFile('pin'), `${one}\n`);
  assert.equal((await serves(one)).pinned.version, one);
  const list = '/api/recommend-config?product_id=1&include_durations=true';
  assert.match((await ask(list)).text, /"price":19.99/);
  const { from, to, pagination } = (await ask('/changes')).data;
  assert.deepEqual([from, to, pagination.total], [two, one, 1]);
  // The version that is served again is the newest of the history.
  const marked = await until(t, async () => ((await newest()).state === 'pinned' ? newest() : undefined));
  assert.equal(marked.version, one);
  assert.deepEqual((await post('/history/unpin')).data, { action: 'unpin', version: one });
  assert.equal(await controlFile('pin'), undefined);
  assert.equal((await serves(two)).pinned, null);
  assert.deepEqual((await post('/history/unpin')).data, { action: 'unpin', version: null });

  const nothing = await post(`/history/${one}/publish`);
  assert.deepEqual([nothing.status, nothing.data.error], [404, 'NOTHING_HELD']);
  assert.equal((await ask('/preview/held/api/news')).data.error, 'NOTHING_HELD');
  const version = await hold();
  const { since, files, ...held } = (await ask('/history')).data.held;
  assert.match(since, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  const message = '6 of 7 prices would disappear: save the whole file again';
  const reasons = [{ code: 'LOST_ROWS', message }];
  assert.deepEqual(held, { version, rows: 22, changes: '6 prices removed', reasons });
  assert.equal(await until(t, () => controlFile('held')), `${version}\n`);
  const health = (await ask('/health')).data;
  const toPublish = `version ${version} is held back: to let it go live, write ${version} into a file named publish beside the catalogs, or run 'vitrine publish ${version}'`;
  assert.deepEqual([health.status, health.reasons], ['degraded', [toPublish]]);
  assert.deepEqual([health.catalogs.version, health.held], [two, { version, since, reasons }]);
  const preview = await ask(`/preview/held${list}`);
  const { 'catalog-version': previewed, 'cache-control': control } = preview.headers;
  assert.deepEqual([preview.status, previewed, control], [200, version, 'no-store']);
  for (const read of [100, 100]) assert.equal((await ask('/preview/held/api/news/1')).data.read, read);
  const bytes = Buffer.byteLength(String(drastic['prices.csv']));
  const { rows, ...prices } = files.find(({ catalog }: { catalog: string }) => catalog === 'prices');
  assert.deepEqual([rows, prices], [2, { catalog: 'prices', file: 'prices.csv', bytes }]);
  for (const wrong of [one, version.slice(0, 5), `${version}0`]) {
    const { status, body } = await post(`/history/${wrong}/publish`);
    assert.deepEqual([status, body.data.error], [409, 'NOT_HELD']);
    assert.equal(body.message, `version ${wrong} is not held back, but ${version} is`);
  }
  assert.equal(await controlFile('publish'), undefined);
  const published = await post(`/history/${version.slice(0, 6)}/publish`);
  assert.deepEqual(published.data, { action: 'publish', version });
  assert.equal(await controlFile('publish'), `${version}\n`);
  const { held: none, status } = await serves(version);
  assert.deepEqual([none, status], [null, 'ok']);
  assert.equal((await ask(list)).text, preview.text);
  assert.equal((await ask('/api/news/1')).data.read, 101);
  await writeFile(join(stateDir, 'history', 'pin'), 'abcdef012345\n');
  await until(t, async () => (await ask('/health')).data.pinned?.version === 'abcdef012345');
  assert.equal((await newest()).state, 'served', 'what cannot be served is not marked');
});

test('what cannot be followed is refused with a sentence without the directory', async t => {
  const { post, controlFile, catalogDir, stateDir, versions } = await startHistory(t, [priced('24.99')]);
  const [one = '', two = ''] = versions;
  const typo = `${one.slice(0, 11)}${one.endsWith('0') ? '1' : '0'}`;
  const dir = join(stateDir, 'history');
  const [oldest = ''] = (await readdir(dir)).filter(name => name.endsWith('.json')).sort();
  const entry = JSON.parse(await readFile(join(dir, oldest), 'utf8'));
  const { sha256 } = entry.files.find(({ catalog }: { catalog: string }) => catalog === 'prices');
  await writeFile(join(dir, 'files', `${sha256}.gz`), 'damaged');
  for (const [version, status, error, message] of [
    [typo, 404, 'VERSION_NOT_FOUND', `version ${typo} is not in the history: did you mean ${one}?`],
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
  assert.ok((await readdir(join(dir, 'files'))).includes(`${sha256}.gz.damaged`));
  await writeFile(join(catalogDir, 'pin'), two);
  const unpin = await post('/history/unpin');
  assert.deepEqual([unpin.status, unpin.data.error], [409, 'STILL_PINNED']);
  const still = `a file pin beside the catalogs still pins version ${two}, for every service of these catalogs: delete that file`;
  assert.equal(unpin.body.message, still);
  await mkdir(join(dir, 'pin', 'full'), { recursive: true });
  const { status, body } = await post(`/history/${two}/pin`);
  assert.deepEqual([status, body.data.error], [500, 'HISTORY_UNAVAILABLE']);
  assert.match(body.message, /^the history in the state directory cannot be used: [a-z ]+$/);
});

test('requests at the same moment are followed in order, and bodies are ignored, whatever they are', async t => {
  const { listen, post, versions, controlFile } = await startHistory(t, [priced('24.99')]);
  const [one, two] = versions;
  const paths = Array.from({ length: 6 }, (_, index) => `/history/${index % 2 === 0 ? one : two}/pin`);
  for (const { status } of await Promise.all(paths.map(path => post(path)))) assert.equal(status, 200);
  assert.equal(await controlFile('pin'), `${two}\n`);
  const port = await listen();
  for (const [headers, body] of [
    ['Content-Type: application/json\r\nContent-Length: 4\r\n', '{bad'],
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

test('each path has its methods; a cookie shows the history and changes nothing; other origins cannot use it', async t => {
  const { ask, dispatch, controlFile, versions } = await startHistory(t, [], { corsOrigin: [origin] });
  for (const [url, allow] of [
    ['/history', 'GET, HEAD'],
    [`/history/${versions[0]}/pin`, 'POST'],
    ['/history/unpin', 'POST'],
    ['/history/790948ef4deb/publish', 'POST'],
    ['/check', 'POST'],
  ] as const) {
    for (const method of ['GET', 'HEAD', 'POST', 'PUT', 'DELETE', 'OPTIONS', 'PROPFIND']) {
      if (allow.includes(method)) continue;
      const { status, headers, body } = await ask(url, { method });
      assert.deepEqual([status, headers.allow], [405, allow], `${method} ${url}`);
      if (body) assert.equal(body.message, `method not allowed; use ${allow.replace(', ', ' or ')}`);
    }
    // What a browser asks before it sends the header of the token.
    const asked = { origin, 'access-control-request-method': 'POST' };
    const preflight = await dispatch({ method: 'OPTIONS', url, headers: asked });
    const byCookie = await dispatch({ method: 'POST', url, headers: { cookie } });
    assert.deepEqual([preflight.statusCode, byCookie.statusCode], [404, 404], url);
    for (const { headers } of [preflight, await ask(url, { headers: { origin } })])
      assert.doesNotMatch(Object.keys(headers).join(), /access-control-/, url);
  }
  assert.equal((await dispatch({ url: '/history', headers: { cookie } })).statusCode, 200);
  assert.equal(await controlFile('pin'), undefined);
  assert.equal((await ask('/history/')).status, 404);
  assert.equal((await ask('/history//pin', { method: 'POST' })).status, 404);
});
