import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { openParts } from '../src/parts.ts';
import { settingsFrom } from '../src/settings.ts';
import { writeFiles, writeInto } from './catalogs.ts';
import { edition, editionOf } from './editions.ts';
import { startLive } from './live.ts';
import { startService } from './service.ts';
import { envelopeCode, readAnswers } from './wire.ts';

test('a read that is under way when the service stops is answered, and is in the file', async t => {
  const { app, settings } = await startService(t, undefined, { flushIntervalMs: 3_600_000 });
  let arrived = () => {};
  let goOn = () => {};
  const arrival = new Promise<void>(resolve => (arrived = resolve));
  const stopping = new Promise<void>(resolve => (goOn = resolve));
  app.addHook('onRequest', async () => {
    arrived();
    await stopping;
  });
  // Comes after the service's own, so that nothing is left to save but this read.
  app.addHook('preClose', async () => goOn());
  // An escape in the address has it go the long way, by way of the hook.
  const answer = fetch(`${await app.listen({ port: 0 })}/api/news/%32`);
  await arrival;
  await app.close();
  assert.equal((await answer).status, 200);
  const { counts } = JSON.parse(await readFile(join(settings.stateDir, 'read-counts.json'), 'utf8'));
  assert.deepEqual(counts, { 2: 1 });
});

test('a request that comes after the end of the drain is refused, and may be sent to another server', async t => {
  const { app, listen } = await startService(t, undefined, { drainMs: 1 });
  const late = new Socket();
  // Comes after the service's own.
  app.addHook('preClose', async () => void late.write('GET /api/news/1 HTTP/1.1\r\nHost: a\r\n\r\n'));
  late.connect(await listen(), '127.0.0.1');
  await once(late, 'connect');
  const closed = app.close();
  const [answer, ...more] = await readAnswers(late);
  await closed;
  assert.ok(answer);
  assert.equal(envelopeCode(answer), 'STOPPING');
  assert.equal(answer.headers['retry-after'], '1');
  assert.equal(answer.headers.connection, 'close');
  assert.deepEqual(more, []);
});

test('a service that was closed has let go of its catalogs', async t => {
  const dir = await writeFiles(t, edition(1));
  const settings = settingsFrom({
    catalogDir: dir,
    stateDir: join(dir, 'state'),
    reloadPollMs: 10,
    reloadQuietMs: 0,
  });
  const log = pino({ level: 'silent' });
  const parts = await openParts(settings, log);
  await buildApp(parts, settings, log).close();
  // One that is still open shows when the change can be seen.
  const { serves } = await startLive(t, dir);
  await writeInto(dir, edition(2));
  await serves(2);
  assert.equal(editionOf(parts.catalog.snapshot() ?? assert.fail('nothing is served')), 1);
});
