import { once } from 'node:events';
import { connect, type Socket } from 'node:net';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { promisify } from 'node:util';
import type { Worker } from 'node:worker_threads';
import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { startServices } from '../../src/services.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { openWorkerPool, type WorkerPool } from '../../src/workers/pool.ts';
import { afterTest } from './after-test.ts';
import { type Files, shop, writeFiles } from './catalogs.ts';
import { until } from './until.ts';
import { takeApart, type WireAnswer } from './wire.ts';

/** The service with two threads, as `vitrine serve` builds it; closed after the test. */
export async function startWorkers(t: TestContext, options: Partial<Settings> = {}, files: Files = shop) {
  const catalogDir = await writeFiles(t, files);
  const given = { catalogDir, imagesDir: catalogDir, stateDir: join(catalogDir, 'state') };
  const settings = {
    ...settingsFrom({ ...given, reloadQuietMs: 10, drainMs: 0, ...options }),
    ...{ workers: 2, port: 0 },
  };
  const log = pino({ level: 'silent' });
  const threads: Worker[] = [];
  const onWorker = (worker: Worker) => threads.push(worker);
  process.on('worker', onWorker);
  afterTest(t, () => void process.off('worker', onWorker));
  let pool: WorkerPool | undefined;
  const services = await startServices(settings, log, undefined, undefined, set => pool?.serve(set));
  await services.catalog.loaded;
  const { sharedReads: reads } = services.reads;
  if (!reads) throw new Error('no counts are shared');
  const { snapshot } = services.catalog;
  const app = buildApp(services, settings, log, {
    startWorkers: main => (pool = openWorkerPool({ ...main, settings, reads, snapshot }, log)),
  });
  afterTest(t, () => app.close());
  const ofMain = new Set<number | undefined>();
  app.server.on('connection', ({ remotePort }) => ofMain.add(remotePort));
  await app.listen({ port: 0 });
  const address = app.server.address();
  const port = typeof address === 'object' && address ? address.port : 0;

  /** Opens a connection, and asks for something so that it is accepted. */
  const open = async () => {
    const socket = connect(port, '127.0.0.1');
    socket.on('error', () => {});
    afterTest(t, () => void socket.destroy());
    await once(socket, 'connect');
    return socket;
  };
  const isOfMain = ({ localPort }: Socket) => ofMain.has(localPort);
  /** Opens connections, of which both threads have some. */
  const openMany = async (length: number) => {
    const { main, other } = await openBoth();
    main.destroy();
    other.destroy();
    const count = promisify(app.server.getConnections.bind(app.server));
    await until(t, async () => ((await count()) + (pool?.connections() ?? 0) === 0 ? true : undefined));
    return Promise.all(Array.from({ length }, open));
  };
  /** A connection of the main thread, and one of the other. */
  const openBoth = () =>
    until(t, async () => {
      const sockets = await Promise.all(Array.from({ length: 8 }, open));
      for (const socket of sockets) await ask(socket, '/health/live');
      const main = sockets.find(isOfMain);
      const other = sockets.find(socket => !isOfMain(socket));
      const isFound = main && other;
      for (const socket of sockets) if (!isFound || (socket !== main && socket !== other)) socket.destroy();
      return isFound ? { main, other } : undefined;
    });
  return { app, settings, catalogDir, port, threads, open, openMany, openBoth, isOfMain };
}

/** Sends a request over a connection; returns its answer. */
export async function ask(socket: Socket, url: string, method = 'GET', headers = ''): Promise<WireAnswer> {
  socket.write(`${method} ${url} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`);
  let bytes = Buffer.alloc(0);
  for (;;) {
    if (socket.destroyed) throw new Error('the connection is closed');
    const closed = new AbortController();
    const onClose = () => closed.abort();
    socket.once('close', onClose);
    const [chunk] = await once(socket, 'data', closed).finally(() => socket.off('close', onClose));
    bytes = Buffer.concat([bytes, chunk]);
    const head = bytes.indexOf('\r\n\r\n') + 4;
    const [, length = '0'] = /content-length: (\d+)/i.exec(bytes.toString('latin1', 0, head)) ?? [];
    const isEmpty = method === 'HEAD' || bytes.toString('latin1', 9, 12) === '304';
    const [answer] =
      head > 3 && bytes.length === head + (isEmpty ? 0 : Number(length)) ? takeApart(bytes) : [];
    if (answer) return answer;
  }
}
