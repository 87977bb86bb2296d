import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import fs, { lstatSync, renameSync, symlinkSync } from 'node:fs';
import { type FileHandle, mkdir, rename, symlink, truncate, utimes, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { syncBuiltinESMExports } from 'node:module';
import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { imageTypes } from '../../src/contract/catalog-files.ts';
import { afterTest } from '../support/after-test.ts';
import { type Files, newsItems, shopWith, writeFiles, writeInto } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { converse, envelopeCode, listen as listenOn } from '../support/wire.ts';

const SECRET = 'nobody is to see this';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const BYTES = '0123456789';
const MODIFIED = new Date('2026-02-01T10:00:00Z');
const DATE = MODIFIED.toUTCString();

/** A service whose news items name these images, over a directory of these files, whose neighbours are secret. */
async function startGallery(t: TestContext, names = ['a.png'], files: Files = { 'a.png': BYTES }) {
  const parent = await writeFiles(t, { 'secret.png': SECRET, 'prices.png': SECRET });
  const imagesDir = join(parent, 'images');
  await writeInto(imagesDir, files);
  for (const name of Object.keys(files)) await utimes(join(imagesDir, name), MODIFIED, MODIFIED);
  const set = shopWith({ 'news.json': newsItems(names.length, index => ({ img: names[index] })) });
  const { app, listen } = await startService(t, set, { imagesDir });
  const get = (name: string, headers: Record<string, string> = {}) =>
    app.inject({ url: `/images/${name}`, headers });
  return { parent, imagesDir, image: join(imagesDir, 'a.png'), app, listen, get };
}

test('the images that news items name are served, whatever their names, with their types, and none runs scripts', async t => {
  const types: Record<string, string> = { jpg: 'image/jpeg', svg: 'image/svg+xml' };
  const odd = ['CAPITALS.PNG', 'a b.png', '50%.png', 'a#b?c.png', '香港.png', 'a..b.png'];
  const names = [...Array.from(imageTypes.keys(), kind => `image.${kind}`), ...odd];
  const long = 'longer than what is read at once'.repeat(5000);
  const files = Object.fromEntries(names.map(name => [name, name.endsWith('svg') ? SVG : name + long]));
  const { get } = await startGallery(t, names, files);
  for (const name of names) {
    const { statusCode, headers, body } = await get(encodeURIComponent(name));
    assert.deepEqual([statusCode, body], [200, files[name]], name);
    const kind = name.toLowerCase().split('.').at(-1) ?? '';
    assert.equal(headers['content-type'], types[kind] ?? `image/${kind}`);
    assert.equal(headers['content-length'], String(Buffer.byteLength(body)));
    assert.deepEqual([headers['accept-ranges'], headers['last-modified']], ['bytes', DATE]);
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.match(String(headers['content-security-policy']), /^default-src 'none';.*; sandbox$/);
  }
});

test('conditional requests and ranges are answered as RFC 9110 says', async t => {
  const { get, imagesDir, image } = await startGallery(t, ['a.png'], { 'a.png': BYTES, 'b.png': SVG });
  const { headers } = await get('a.png');
  const etag = String(headers.etag);
  assert.match(etag, /^W\//);
  const JANUARY = 'Thu, 01 Jan 2026 00:00:00 GMT';
  const range = 'bytes=0-3';
  for (const [given, status, part, contentRange] of [
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-modified-since': DATE }, 304],
    [{ 'if-modified-since': DATE, 'cache-control': 'no-cache' }, 200],
    [{ 'if-modified-since': JANUARY }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"other"' }, 412],
    // The comparison is strong, and the tag is weak.
    [{ 'if-match': etag }, 412],
    [{ 'if-unmodified-since': JANUARY }, 412],
    [{ range }, 206, '0123', 'bytes 0-3/10'],
    [{ range: 'bytes=8-' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=-2' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=8-99' }, 206, '89', 'bytes 8-9/10'],
    [{ range: 'bytes=-99' }, 206, BYTES, 'bytes 0-9/10'],
    [{ range: 'bytes=0-1,3-4' }, 200],
    [{ range: 'nonsense' }, 200],
    [{ range: 'bytes=10-' }, 416, undefined, 'bytes */10'],
    [{ range, 'if-none-match': etag }, 304],
    // A range is sent only if If-Range has the very date; for a weak tag, the whole image is.
    [{ range, 'if-range': DATE }, 206, '0123', 'bytes 0-3/10'],
    [{ range, 'if-range': 'Sun, 01 Feb 2026 10:00:01 GMT' }, 200],
    [{ range, 'if-range': etag }, 200],
  ] as const) {
    const { statusCode, headers, body } = await get('a.png', given);
    const what = JSON.stringify(given);
    assert.deepEqual([statusCode, headers['content-range']], [status, contentRange], what);
    if (status < 300)
      assert.deepEqual([body, headers['content-length']], [part ?? BYTES, `${(part ?? BYTES).length}`], what);
    else if (status === 304) assert.deepEqual([body, headers.etag], ['', etag]);
    else assert.match(body, status === 412 ? /PRECONDITION_FAILED/ : /RANGE_NOT_SATISFIABLE/);
  }
  await rename(join(imagesDir, 'b.png'), image);
  assert.equal((await get('a.png', { 'if-none-match': etag })).body, SVG, 'another image has another tag');
});

test('only images that shown news items name are served, whatever the URL', async t => {
  const named = [
    ...['a.png', 'linked-out.png', 'linked-device.png', 'linked-to-nothing.png', 'linked-to-itself.png'],
    ...['pipe.png', 'directory.png', 'gone.png', 'notes.txt', 'no-kind', 'png', 'x.png.html'],
    ...['secret.png', 'etc%2fpasswd.png', 'inside.png'],
  ];
  const secrets = ['.dot.png', 'unnamed.png', 'notes.txt', 'no-kind', 'png', 'x.png.html'];
  const files = { 'a.png': BYTES, ...Object.fromEntries(secrets.map(name => [name, SECRET])) };
  const { listen, imagesDir } = await startGallery(t, named, files);
  for (const folder of ['directory.png', '..2026_02_01']) {
    await mkdir(join(imagesDir, folder));
    await writeFile(join(imagesDir, folder, 'a.png'), folder === 'directory.png' ? SECRET : BYTES);
  }
  execFileSync('mkfifo', [join(imagesDir, 'pipe.png')]);
  for (const [name, target] of Object.entries({
    ...{ 'linked-out.png': '../secret.png', 'linked-device.png': '/dev/zero' },
    ...{ 'linked-to-nothing.png': 'nowhere.png', 'linked-to-itself.png': 'linked-to-itself.png' },
    ...{ '..data': '..2026_02_01', 'inside.png': '..data/a.png' }, // As in a Kubernetes volume.
  }))
    await symlink(target, join(imagesDir, name));
  const get = async (path: string) => {
    const request = `GET /images${path} HTTP/1.1\r\nHost: a\r\n\r\n`;
    const { answers } = await converse(port, Buffer.from(request));
    assert.equal(answers.length, 1, path);
    return answers[0] ?? assert.fail();
  };
  const port = await listen();
  const others =
    '// /. /.. /a.png/ /a.png/. /./a.png //a.png /A.PNG /a.PNG /unnamed.png /.dot.png /directory.png/a.png /a.png%00 /a.png%00.png /%00 /../secret.png /..%2fsecret.png /%2e%2e/secret.png /%2e%2e%2fsecret.png /../images/a.png /..%5csecret.png /%5c..%5csecret.png /..\\secret.png /a.png%5c..%5csecret.png /%252e%252e%252fsecret.png /..%252fsecret.png /etc%2fpasswd.png /etc/passwd.png /%c0%ae%c0%ae%c0%afsecret.png /%u002e%u002e/secret.png /....//secret.png /..;/secret.png /%2fetc%2fpasswd /C:%5csecret.png /file:%2f%2f%2fetc%2fpasswd /a.png::$DATA /a.png. /a.png%20 /%20a.png /a.png%0d%0aX:%20y /a.png;.txt';
  const climbing = `/${'../'.repeat(40)}etc/passwd`;
  const paths = [...named.slice(1, -1).map(name => `/${name}`), ...others.split(' '), '', '/', climbing];
  for (const path of paths) {
    const answer = await get(path);
    assert.match(envelopeCode(answer), /^(IMAGE_NOT_FOUND|ROUTE_NOT_FOUND|BAD_REQUEST)$/);
    assert.ok(!answer.body.includes(SECRET), path);
  }
  for (const path of ['/%61.png', '/inside.png']) assert.equal((await get(path)).body, BYTES, path);
});

test('an image that is swapped for a link to a file outside and back is served as itself or not found', async t => {
  const { parent, image, get } = await startGallery(t);
  const [spare, third] = [join(parent, 'spare'), join(parent, 'third')];
  symlinkSync(join(parent, 'secret.png'), spare);
  let isOver = false;
  const ask = async () => {
    for (let count = 0; count < 200; count += 1) {
      const { statusCode, body } = await get('a.png');
      assert.ok(statusCode === 404 || body === BYTES, `${statusCode} ${body}`);
    }
  };
  const asked = Promise.all([ask(), ask()]).finally(() => (isOver = true));
  while (!isOver) {
    renameSync(image, third);
    renameSync(spare, image);
    renameSync(third, spare);
    await new Promise(setImmediate);
  }
  await asked;
  if (lstatSync(image).isSymbolicLink()) renameSync(spare, image);
  assert.equal((await get('a.png')).body, BYTES);
});

/** Replaces a function of the file system until the test ends or calls what is returned. */
function replaceFs(t: TestContext, name: 'open' | 'realpath', replacement: (...args: never[]) => unknown) {
  const { mock } = t.mock.method(fs.promises, name, replacement as typeof fs.promises.open);
  const restore = () => {
    mock.restore();
    syncBuiltinESMExports();
  };
  syncBuiltinESMExports();
  afterTest(t, restore);
  return restore;
}

const HUGE = 64 * 2 ** 20;
const LATER = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n';
const IMAGE = 'GET /images/a.png HTTP/1.1\r\nHost: a\r\n\r\n';

test('an image that is cut while it is sent closes its connection, and does not count as sent', async t => {
  const { image, listen } = await startGallery(t);
  await truncate(image, HUGE); // Longer, by zeros.
  const socket = connect(await listen(), '127.0.0.1').on('error', () => {});
  socket.write(IMAGE + LATER);
  const [head]: Buffer[] = await once(socket, 'data');
  assert.match(head?.toString('latin1') ?? '', new RegExp(`content-length: ${HUGE}\r\n`));
  socket.pause();
  await truncate(image, 2 ** 20);
  const chunks: Buffer[] = [];
  socket.on('data', chunk => chunks.push(chunk));
  // It may be a reset, which `once` would take for a failure.
  const closed = new Promise(resolve => socket.once('close', resolve));
  socket.resume();
  await closed;
  const rest = Buffer.concat(chunks);
  assert.ok(!rest.includes('HTTP/1.1') && rest.length < HUGE, `${rest.length} bytes`);
});

test('while the images directory hangs, two threads wait for it, and requests over the limit are refused', async t => {
  const { get } = await startGallery(t);
  let waiting = 0;
  let fail = () => {};
  const hanging = new Promise<never>((_, reject) => (fail = () => reject(new Error('the mount is gone'))));
  const restore = replaceFs(t, 'realpath', () => {
    waiting += 1;
    return hanging;
  });
  const answers = Array.from({ length: 1005 }, () => get('a.png'));
  const refused = (await Promise.any(answers)).json();
  assert.deepEqual([refused.code, refused.data.error, waiting], [503, 'IMAGES_UNAVAILABLE', 2]);
  fail();
  const statuses = (await Promise.all(answers)).map(({ statusCode }) => statusCode);
  assert.equal(statuses.filter(status => status === 404).length, 1002);
  restore();
  assert.equal((await get('a.png')).body, BYTES);
});

/** Opens files as `open` does, and shows whether all were closed. */
function watchFiles(t: TestContext, open = fs.promises.open) {
  const handles: FileHandle[] = [];
  replaceFs(t, 'open', async (...args: Parameters<typeof open>) => {
    const handle = await open(...args);
    handles.push(handle);
    return handle;
  });
  return { opened: () => handles.length, allAreClosed: () => handles.every(({ fd }) => fd === -1) };
}

for (const leaves of [true, false])
  test(`the file of an image ${leaves ? 'whose client leaves' : 'that a closing answer precedes'} is closed`, async t => {
    const { app } = await startGallery(t, ['a.png'], { 'a.png': BYTES.repeat(1e6) });
    await app.ready();
    const { open } = fs.promises;
    let release = () => {};
    const released = new Promise<void>(resolve => (release = resolve));
    const { opened, allAreClosed } = watchFiles(t, async (...args) => {
      if (leaves) await released;
      return open(...args);
    });
    // A server that carries out all pipelined requests at once, as that of a host may.
    const server = createServer((request, response) => app.routing(request, response));
    const socket = connect(Number(new URL(await listenOn(t, server)).port), '127.0.0.1');
    const closed = new Promise(resolve => server.once('connection', peer => peer.once('close', resolve)));
    const arrived = once(server, 'request');
    socket.write((leaves ? '' : 'GET /api/news/%ff HTTP/1.1\r\nHost: a\r\n\r\n') + IMAGE);
    await arrived;
    if (leaves) socket.destroy();
    else socket.resume();
    await closed;
    release();
    await until(t, async () => opened() === 1 && allAreClosed());
  });

test('without a file descriptor left, an image is 503 and not missing', async t => {
  const { get } = await startGallery(t, ['é.png'], { 'é.png': BYTES });
  for (const code of ['EMFILE', 'ENFILE']) {
    watchFiles(t, () => Promise.reject(Object.assign(new Error(code), { code })));
    const { statusCode, body } = await get(encodeURIComponent('é.png'));
    assert.deepEqual([statusCode, JSON.parse(body).data.error], [503, 'IMAGES_UNAVAILABLE']);
  }
});
