import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { startService } from './service.ts';

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
  const answer = fetch(`${await app.listen({ port: 0 })}/api/news/2`);
  await arrival;
  await app.close();
  assert.equal((await answer).status, 200);
  const { counts } = JSON.parse(await readFile(join(settings.stateDir, 'read-counts.json'), 'utf8'));
  assert.deepEqual(counts, { 2: 1 });
});
