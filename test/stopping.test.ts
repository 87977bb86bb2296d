import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { connect, Socket } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { onStopSignal } from '../src/process/stop-signals.ts';
import { startService } from './support/service.ts';
import { readAnswers, type WireAnswer } from './support/wire.ts';

test('a read in progress when the service stops is answered and counted', async t => {
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

test('a client that was connected when the service stopped listening is answered and counted', async t => {
  const options = { drainMs: 1, flushIntervalMs: 3_600_000 };
  const { app, listen, settings } = await startService(t, undefined, options);
  const late = new Socket();
  // Comes after the service's own, so that nothing is left to save but this read.
  app.addHook('preClose', async () => void late.write('GET /api/news/2 HTTP/1.1\r\nHost: a\r\n\r\n'));
  late.connect(await listen(), '127.0.0.1');
  await once(late, 'connect');
  const closed = app.close();
  const [answer, ...more] = await readAnswers(late);
  await closed;
  assert.equal(answer?.status, 200);
  assert.equal(answer.headers.connection, 'close');
  assert.deepEqual(more, []);
  const { counts } = JSON.parse(await readFile(join(settings.stateDir, 'read-counts.json'), 'utf8'));
  assert.deepEqual(counts, { 2: 1 });
});

test('clients that connect while the process is suspended are answered before it closes', async t => {
  const { app, listen } = await startService(t, undefined, { drainMs: 1 });
  const port = await listen();
  const answers: Promise<WireAnswer[]>[] = [];
  const come = () => {
    for (const id of [1, 2, 3]) {
      const client = connect(port, '127.0.0.1');
      client.write(`GET /api/news/${id} HTTP/1.1\r\nHost: a\r\n\r\n`);
      answers.push(readAnswers(client));
    }
    // The system connects them meanwhile.
    process.nextTick(() => Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 100));
  };
  // It listens for connections itself when it begins to wait for a moment in which nobody comes. After an immediate the
  // event loop turns to timers, and only then to connections.
  app.server.on('newListener', event => event === 'connection' && setImmediate(come));
  await app.close();
  const statuses = (await Promise.all(answers)).map(received => received.map(({ status }) => status));
  assert.deepEqual(statuses, [[200], [200], [200]]);
});

test('signals within a second are one request, and a later one ends the drain', t => {
  const clock = { ms: 0 };
  t.mock.method(performance, 'now', () => clock.ms);
  const calls: string[] = [];
  const note = (call: string) => void calls.push(call);
  const uninstall = onStopSignal(['SIGQUIT', 'SIGHUP'], note, () => note('end'));
  for (const [ms, signal] of [
    [5, 'SIGHUP'],
    [6, 'SIGQUIT'],
    [1005, 'SIGHUP'],
    [1006, 'SIGHUP'],
    [2000, 'SIGQUIT'],
  ] as const) {
    clock.ms = ms;
    process.emit(signal, signal);
  }
  assert.deepEqual(calls, ['SIGHUP', 'end', 'end']);
  uninstall();
  assert.equal(process.listenerCount('SIGQUIT'), 0);
});
