import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { renameSync, symlinkSync } from 'node:fs';
import { mkdir, readFile, symlink, truncate, writeFile } from 'node:fs/promises';

import { connect } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import type { Health } from '../../src/contract/health.ts';
import { openInside } from '../../src/http/images/image-file.ts';
import { shopWith, writeFiles, writeInto } from '../support/catalogs.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { skipWithout, skipWithoutBuild } from '../support/skipping.ts';
import { attachStrace } from '../support/strace.ts';
import { until } from '../support/until.ts';

const SECRET = 'nobody is to see this';
const BYTES = '0123456789';
const NEWS = [{ id: 1, title: 'A', content: 'B', create_time: 1_700_000_001, img: 'a.png' }];

/** A directory of images with `a.png` in it, which news name, and a secret beside the directory. */
async function writeGallery(t: TestContext) {
  const parent = await writeFiles(t, { 'secret.png': SECRET });
  const imagesDir = join(parent, 'images');
  await writeInto(imagesDir, { 'a.png': BYTES });
  return { parent, imagesDir, image: join(imagesDir, 'a.png') };
}

/** A service with that image, listening. */
async function startGallery(t: TestContext) {
  const gallery = await writeGallery(t);
  const service = await startService(t, shopWithImage, { imagesDir: gallery.imagesDir });
  return { ...gallery, ...service, port: await service.listen() };
}

const shopWithImage = shopWith({ 'news.json': NEWS });

/** Calls `swap` between the turns of the event loop until the promise is settled. */
async function whileSwapping<Value>(swap: (turn: number) => void, promise: Promise<Value>): Promise<Value> {
  let isOver = false;
  const settled = promise.finally(() => (isOver = true));
  for (let turn = 0; !isOver; turn += 1) {
    swap(turn);
    await new Promise(setImmediate);
  }
  return settled;
}

for (const [what, put] of [
  [
    'a link to a file outside',
    (spare: string, parent: string) => symlinkSync(join(parent, 'secret.png'), spare),
  ],
  ['a pipe', (spare: string) => execFileSync('mkfifo', [spare])],
] as const) {
  test(`an image that is swapped for ${what} and back during requests is served as itself or not found`, async t => {
    const { parent, imagesDir, image } = await writeGallery(t);
    const { app } = await startService(t, shopWithImage, { imagesDir });
    const [spare, third] = [join(parent, 'spare'), join(parent, 'third')];
    put(spare, parent);
    const swap = () => {
      renameSync(image, third);
      renameSync(spare, image);
      renameSync(third, spare);
    };
    let served = 0;
    const ask = async () => {
      for (let count = 0; count < 200; count += 1) {
        const { statusCode, body } = await app.inject('/images/a.png');
        assert.ok(statusCode === 404 || body === BYTES, `${statusCode} ${body}`);
        if (statusCode === 200) served += 1;
      }
    };
    await whileSwapping(swap, Promise.all([ask(), ask()]));
    assert.ok(served > 0);
    // A thread that a pipe has taken would keep this from being read.
    assert.equal(await readFile(join(parent, 'secret.png'), 'utf8'), SECRET);
  });
}

test('links are followed only inside the directory, also on systems without /proc', async t => {
  const { parent, imagesDir } = await writeGallery(t);
  await mkdir(join(imagesDir, '..data'));
  await writeFile(join(imagesDir, '..data', 'b.png'), BYTES);
  await symlink('..data/b.png', join(imagesDir, 'inside.png'));
  await symlink('../secret.png', join(imagesDir, 'outside.png'));
  await symlink(imagesDir, join(parent, 'link'));
  for (const descriptors of [undefined, '/nowhere']) {
    for (const [name, isThere] of [
      ['a.png', true],
      ['inside.png', true],
      ['outside.png', false],
      ['..data', false],
      ['gone.png', false],
    ] as const) {
      const opened = openInside(join(parent, 'link'), name, descriptors);
      if (isThere) await (await opened).handle.close();
      else await assert.rejects(opened, name);
    }
  }
});

const HUGE = 64 * 2 ** 20;
const LATER = 'GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n';

for (const [what, left] of [
  ['to a part', 2 ** 20],
  ['to nothing', 0],
] as const) {
  test(`an image that is cut ${what} while it is sent closes its connection, and does not count as sent`, async t => {
    const { image, port } = await startGallery(t);
    await truncate(image, HUGE); // Longer, by zeros.
    const socket = connect(port, '127.0.0.1').on('error', () => {});
    socket.write(`GET /images/a.png HTTP/1.1\r\nHost: a\r\n\r\n${LATER}`);
    const [head]: Buffer[] = await once(socket, 'data');
    assert.match(head?.toString('latin1') ?? '', new RegExp(`content-length: ${HUGE}\r\n`));
    socket.pause();
    await truncate(image, left);
    let received = head?.length ?? 0;
    let later = 0;
    socket.on('data', chunk => {
      received += chunk.length;
      if (chunk.includes('HTTP/1.1')) later += 1;
    });
    // It may be a reset, which `once` would take for a failure.
    const closed = new Promise(resolve => socket.once('close', resolve));
    socket.write(LATER);
    socket.resume();
    await closed;
    assert.equal(later, 0);
    assert.ok(received < HUGE, `${received} bytes`);
  });
}

test('an image is sent as fast as its client reads, and the connection serves the next request', async t => {
  const { image, port } = await startGallery(t);
  await truncate(image, HUGE);
  const socket = connect(port, '127.0.0.1');
  socket.write(
    `GET /images/a.png HTTP/1.1\r\nHost: a\r\n\r\n${LATER.replace('a\r', 'a\r\nConnection: close\r')}`,
  );
  const chunks: Buffer[] = [];
  socket.on('data', chunk => chunks.push(chunk));
  await once(socket, 'close');
  const bytes = Buffer.concat(chunks);
  const body = bytes.indexOf('\r\n\r\n') + 4;
  assert.match(bytes.toString('latin1', body + HUGE), /^HTTP\/1\.1 200 OK\r\n.*"status":"live"/s);
});

test('while the images directory hangs, reads are saved and catalogs reloaded, and excess image requests are refused', {
  skip: skipWithout('strace') || skipWithoutBuild(),
  timeout: 60_000,
}, async t => {
  const { parent, imagesDir, image } = await writeGallery(t);
  const catalogDir = join(parent, 'catalog');
  await writeInto(catalogDir, shopWithImage);
  const stateDir = join(parent, 'state');
  const { child, listening } = startProcess(
    t,
    flagsOf({ port: 0, catalogDir, imagesDir, stateDir, clientTimeoutMs: 600_000 }),
  );
  const address = await listening();
  const strace = await attachStrace(
    t,
    child.pid ?? assert.fail('there is no process'),
    [imagesDir, image],
    '%file:delay_enter=120000000',
  );
  try {
    const images = Array.from({ length: 1005 }, () => request(`${address}/images/a.png`));
    for (const answer of images) answer.catch(() => {}); // They are cut off at the end.
    const health = async (): Promise<Health> => {
      const { body } = await request(`${address}/health`);
      return Object(await body.json()).data;
    };
    await request(`${address}/api/news/1`);
    await until(t, async () => (await health()).reads.unsaved === 0 || undefined);
    assert.match(await readFile(join(stateDir, 'read-counts.json'), 'utf8'), /"1": 1/);
    const before = (await health()).catalogs?.version;
    await writeInto(catalogDir, { 'news_types.json': [{ id: 1, name: 'Another' }] });
    await until(t, async () => (await health()).catalogs?.version !== before || undefined);

    const refused = await Promise.any(images);
    assert.equal(refused.statusCode, 503);
    assert.equal(Object(await refused.body.json()).data.error, 'IMAGES_UNAVAILABLE');
  } finally {
    // Before the process, which cannot end while a call of it is held up.
    await strace.kill();
  }
});
