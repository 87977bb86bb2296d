import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, rename, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { imageKinds } from '../../src/contract/catalog-files.ts';
import { shopWith, writeFiles, writeInto } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { converse, envelopeCode } from '../support/wire.ts';

const SECRET = 'nobody is to see this';
const SVG = '<svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>';
const BYTES = '0123456789';
const MODIFIED = new Date('2026-02-01T10:00:00Z');

/** A set whose news name these images. */
const naming = (...names: string[]) =>
  shopWith({
    'news.json': names.map((img, index) => ({
      id: index + 1,
      title: 'A',
      content: 'B',
      create_time: 1_700_000_001,
      img,
    })),
  });

/** A service over such a set, and over a directory of images whose neighbours are secret. */
async function startGallery(t: TestContext, names: string[], files: Record<string, string> = {}) {
  const parent = await writeFiles(t, { 'secret.png': SECRET, 'prices.png': SECRET });
  const imagesDir = join(parent, 'images');
  await writeInto(imagesDir, files);
  for (const name of Object.keys(files)) await utimes(join(imagesDir, name), MODIFIED, MODIFIED);
  const { app, listen } = await startService(t, naming(...names), { imagesDir });
  const get = (name: string, headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') =>
    app.inject({ url: `/images/${name}`, headers, method });
  return { listen, get, imagesDir };
}

test('serves the images that news items name, with their types, and lets none run scripts', async t => {
  const types: Record<(typeof imageKinds)[number], string> = {
    png: 'image/png',
    jpg: 'image/jpeg',
    jpeg: 'image/jpeg',
    webp: 'image/webp',
    gif: 'image/gif',
    avif: 'image/avif',
    svg: 'image/svg+xml',
  };
  const names = imageKinds.map(kind => `image.${kind}`);
  const { get } = await startGallery(t, [...names, 'CAPITALS.PNG'], {
    ...Object.fromEntries(names.map(name => [name, BYTES])),
    'CAPITALS.PNG': BYTES,
    'image.svg': SVG,
  });
  for (const kind of imageKinds) {
    const { statusCode, headers, body } = await get(`image.${kind}`);
    assert.equal(statusCode, 200, kind);
    assert.equal(body, kind === 'svg' ? SVG : BYTES);
    assert.equal(headers['content-type'], types[kind]);
    assert.equal(headers['content-length'], String(body.length));
    assert.equal(headers['x-content-type-options'], 'nosniff');
    assert.equal(headers['cache-control'], 'no-cache');
    assert.equal(headers['cross-origin-resource-policy'], 'cross-origin');
    assert.match(String(headers['content-security-policy']), /^default-src 'none';.*; sandbox$/);
  }
  assert.equal((await get('CAPITALS.PNG')).headers['content-type'], 'image/png');
});

test('a name with spaces, punctuation or letters of any script is served', async t => {
  const names = ['a b.png', '50%.png', 'a#b?c.png', '香港.png', 'a..b.png'];
  const { get } = await startGallery(t, names, Object.fromEntries(names.map(name => [name, name])));
  for (const name of names) assert.equal((await get(encodeURIComponent(name))).body, name);
});

test('conditional requests: 304 if the client has the image, 412 if it expects another', async t => {
  const { get } = await startGallery(t, ['a.png'], { 'a.png': BYTES });
  const { headers } = await get('a.png');
  const etag = String(headers.etag);
  assert.equal(headers['last-modified'], MODIFIED.toUTCString());
  for (const [given, status] of [
    [{ 'if-none-match': etag }, 304],
    [{ 'if-none-match': `"other", ${etag}` }, 304],
    [{ 'if-none-match': '*' }, 304],
    [{ 'if-none-match': '"other"' }, 200],
    [{ 'if-modified-since': MODIFIED.toUTCString() }, 304],
    [{ 'if-modified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 200],
    [{ 'if-match': '*' }, 200],
    [{ 'if-match': '"other"' }, 412],
    // The comparison is strong, and the tag is weak.
    [{ 'if-match': etag }, 412],
    [{ 'if-unmodified-since': 'Thu, 01 Jan 2026 00:00:00 GMT' }, 412],
  ] as const) {
    const answer = await get('a.png', given);
    assert.equal(answer.statusCode, status, JSON.stringify(given));
    if (status === 304) {
      assert.equal(answer.body, '');
      assert.equal(answer.headers.etag, etag);
    }
    if (status === 412) assert.equal(answer.json().data.error, 'PRECONDITION_FAILED');
  }
});

test('ranges: 206 with the part, or 416 with the envelope', async t => {
  const { get } = await startGallery(t, ['a.png'], { 'a.png': BYTES });
  for (const [range, part, contentRange] of [
    ['bytes=0-3', '0123', 'bytes 0-3/10'],
    ['bytes=8-', '89', 'bytes 8-9/10'],
    ['bytes=-2', '89', 'bytes 8-9/10'],
    ['bytes=8-99', '89', 'bytes 8-9/10'],
    ['bytes=-99', BYTES, 'bytes 0-9/10'],
  ] as const) {
    const { statusCode, headers, body } = await get('a.png', { range });
    assert.equal(statusCode, 206, range);
    assert.equal(body, part);
    assert.equal(headers['content-length'], String(part.length));
    assert.equal(headers['content-range'], contentRange);
  }
  for (const range of ['lines=1-2', 'bytes=0-1,3-4', 'nonsense']) {
    const { statusCode, body } = await get('a.png', { range });
    assert.deepEqual([statusCode, body], [200, BYTES], range);
  }
  const beyond = await get('a.png', { range: 'bytes=10-' });
  assert.equal(beyond.statusCode, 416);
  assert.equal(beyond.headers['content-range'], 'bytes */10');
  assert.equal(beyond.json().data.error, 'RANGE_NOT_SATISFIABLE');
});

test('a range is sent only if If-Range has the very date; otherwise, and for a weak tag, the whole image', async t => {
  const { get } = await startGallery(t, ['a.png'], { 'a.png': BYTES });
  const { headers } = await get('a.png');
  const date = MODIFIED.toUTCString();
  assert.equal(headers['last-modified'], date);
  assert.match(String(headers.etag), /^W\//);
  for (const [ifRange, status] of [
    [date, 206],
    ['Sun, 01 Feb 2026 10:00:01 GMT', 200],
    ['Sun, 01 Feb 2026 09:59:59 GMT', 200],
    ['nonsense', 200],
    [String(headers.etag), 200],
    [String(headers.etag).slice(2), 200],
    ['"other"', 200],
    ['*', 200],
  ] as const) {
    const { statusCode, body } = await get('a.png', { range: 'bytes=0-3', 'if-range': ifRange });
    assert.deepEqual([statusCode, body], [status, status === 206 ? '0123' : BYTES], ifRange);
  }
});

test('HEAD has the headers of GET and no body', async t => {
  const { get } = await startGallery(t, ['a.png'], { 'a.png': BYTES });
  const [head, full] = [await get('a.png', {}, 'HEAD'), await get('a.png')];
  assert.equal(head.body, '');
  for (const name of ['content-length', 'content-type', 'etag', 'last-modified', 'content-security-policy']) {
    assert.equal(head.headers[name], full.headers[name], name);
  }
});

test('a replaced image has another ETag', async t => {
  const { get, imagesDir } = await startGallery(t, ['a.png'], { 'a.png': BYTES, 'b.png': SVG });
  const { headers } = await get('a.png');
  await rename(join(imagesDir, 'b.png'), join(imagesDir, 'a.png'));
  const after = await get('a.png', { 'if-none-match': String(headers.etag) });
  assert.deepEqual([after.statusCode, after.body], [200, SVG]);
});

test('images of news items that are hidden, unpublished or deleted are not served', async t => {
  const row = { title: 'A', content: 'B', create_time: 1_700_000_001 };
  let now = 1_700_001_000;
  const { app } = await startService(
    t,
    {
      ...shopWith({
        'news.json': [
          { ...row, id: 1, img: 'shown.png' },
          { ...row, id: 2, img: 'hidden.png', hidden: true },
          { ...row, id: 3, img: 'later.png', publish_time: 1_700_002_000 },
        ],
      }),
      'shown.png': BYTES,
      'hidden.png': SECRET,
      'later.png': BYTES,
    },
    {},
    () => now,
  );
  const statusOf = async (name: string) => (await app.inject(`/images/${name}`)).statusCode;
  assert.deepEqual(
    [await statusOf('shown.png'), await statusOf('hidden.png'), await statusOf('later.png')],
    [200, 404, 404],
  );
  now = 1_700_002_000;
  assert.equal(await statusOf('later.png'), 200);
});

test('only images that news items name are served, whatever the URL', async t => {
  const named = [
    'a.png',
    ...['linked-out.png', 'linked-device.png', 'linked-to-nothing.png', 'linked-to-itself.png'],
    ...['pipe.png', 'directory.png', 'gone.png', 'notes.txt', 'no-kind', 'png', 'x.png.html'],
    ...['secret.png', 'etc%2fpasswd.png'],
  ];
  const { listen, imagesDir } = await startGallery(t, named, {
    'a.png': BYTES,
    '.dot.png': SECRET,
    'unnamed.png': SECRET,
    'notes.txt': SECRET,
    'no-kind': SECRET,
    png: SECRET,
    'x.png.html': SECRET,
  });
  await symlink(join(imagesDir, '..', 'secret.png'), join(imagesDir, 'linked-out.png'));
  await symlink('/dev/zero', join(imagesDir, 'linked-device.png'));
  await symlink('nowhere.png', join(imagesDir, 'linked-to-nothing.png'));
  await symlink('linked-to-itself.png', join(imagesDir, 'linked-to-itself.png'));
  await mkdir(join(imagesDir, 'directory.png'));
  await writeFile(join(imagesDir, 'directory.png', 'a.png'), SECRET);
  execFileSync('mkfifo', [join(imagesDir, 'pipe.png')]);
  const port = await listen();

  const targets = [
    ...named.slice(1).map(name => `/images/${name}`),
    ...['', '/', '//', '/.', '/..', '/a.png/', '/a.png/.', '/./a.png', '//a.png', '/A.PNG', '/a.PNG'],
    ...['/unnamed.png', '/.dot.png', '/directory.png/a.png', '/a.png%00', '/a.png%00.png', '/%00'],
    ...[
      '/../secret.png',
      '/..%2fsecret.png',
      '/%2e%2e/secret.png',
      '/%2e%2e%2fsecret.png',
      '/../images/a.png',
    ],
    ...['/..%5csecret.png', '/%5c..%5csecret.png', '/..\\secret.png', '/a.png%5c..%5csecret.png'],
    ...['/%252e%252e%252fsecret.png', '/..%252fsecret.png', '/etc%2fpasswd.png', '/etc/passwd.png'],
    ...['/%c0%ae%c0%ae%c0%afsecret.png', '/%u002e%u002e/secret.png', '/....//secret.png', '/..;/secret.png'],
    ...['/%2fetc%2fpasswd', '/C:%5csecret.png', '/file:%2f%2f%2fetc%2fpasswd', '/a.png::$DATA', '/a.png.'],
    ...['/a.png%20', '/%20a.png', '/a.png%0d%0aX:%20y', '/a.png;.txt', `/${'../'.repeat(40)}etc/passwd`],
  ].map(path => (path.startsWith('/images') ? path : `/images${path}`));
  for (const target of targets) {
    const { answers } = await converse(port, Buffer.from(`GET ${target} HTTP/1.1\r\nHost: a\r\n\r\n`));
    assert.equal(answers.length, 1, target);
    for (const answer of answers) {
      assert.ok(answer.status === 404 || answer.status === 400, `${target}: ${answer.status}`);
      assert.match(envelopeCode(answer), /^(IMAGE_NOT_FOUND|ROUTE_NOT_FOUND|BAD_REQUEST)$/);
      assert.ok(!answer.body.includes(SECRET), target);
    }
  }
  const plain = await converse(port, Buffer.from('GET /images/%61.png HTTP/1.1\r\nHost: a\r\n\r\n'));
  assert.equal(plain.answers[0]?.body, BYTES);
});

test('an image may be a link within the directory, as in a Kubernetes volume', async t => {
  const { get, imagesDir } = await startGallery(t, ['a.png'], {});
  await mkdir(join(imagesDir, '..2026_02_01'));
  await writeFile(join(imagesDir, '..2026_02_01', 'a.png'), BYTES);
  await symlink('..2026_02_01', join(imagesDir, '..data'));
  await symlink('..data/a.png', join(imagesDir, 'a.png'));
  assert.equal((await get('a.png')).body, BYTES);
});
