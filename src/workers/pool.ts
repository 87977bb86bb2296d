import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import { MessageChannel, Worker } from 'node:worker_threads';
import { sharedChunks } from '../catalog/snapshot/shared/shared-chunks.ts';
import type { Snapshot } from '../catalog/snapshot/snapshot.ts';
import type { RequestMetrics } from '../http/metrics/request-metrics.ts';
import type { Log } from '../messages.ts';
import type { SharedReads } from '../reads/counter.ts';
import type { Settings } from '../settings/settings.ts';
import { yieldToOthers } from './balance.ts';
import type { OwnerMessage, ThreadData, ThreadMessage } from './protocol.ts';
import { RemoteConnection } from './remote-connection.ts';
import { openRemoteConnections, type RemoteConnections } from './remote-connections.ts';

/** The threads that serve beside the main one. */
export interface WorkerPool {
  /** Serves a set in all threads. */
  serve(snapshot: Snapshot): void;
  /** How many connections the threads have open. */
  connections(): number;
  /** From now on, the main thread answers all requests. */
  stop(): void;
  /** Accepts no more connections. Resolves when all connections are closed, or after `leaveMs` milliseconds. */
  close(leaveMs: number): Promise<void>;
  /** After `close`, resolves when no thread accepts connections any more. */
  listenersClosed(): Promise<void>;
}

/** What the threads need of the service. */
export interface PoolOptions {
  settings: Settings;
  reads: SharedReads;
  /** The set that is served; undefined before the first. */
  snapshot(): Snapshot | undefined;
  /** The server that listens. */
  listener: Server;
  /** Answers the requests that a thread passes on; it does not listen. */
  server: Server;
  /** Whether a connection is over a limit. */
  isExcess(socket: Socket): boolean;
  metrics: RequestMetrics;
}

interface Thread {
  worker: Worker;
  remote: RemoteConnections;
  listenerClosed: Promise<void>;
  ended: Promise<void>;
  /** How many of the shared counts it knows. */
  known: number;
}

/** A thread that ends is replaced after this time, in milliseconds, so that one that cannot start is not started all the time. */
const RESTART_MS = 500;
/** The young generation of a thread's heap, in MB. It is as small as the short-lived objects of requests allow. */
const YOUNG_MB = 8;

/** When the program runs from its sources, the thread first registers a loader for TypeScript. */
const isSource = import.meta.url.endsWith('.ts');
const entry = new URL(isSource ? '../../scripts/worker.mjs' : './worker.js', import.meta.url);

/** Starts `settings.workers - 1` threads. A thread that ends before `close()` is replaced. */
export function openWorkerPool(options: PoolOptions, log: Log): WorkerPool {
  const { settings, reads, snapshot, listener, server, isExcess, metrics } = options;
  /** The connections of each thread, the main one first. */
  const openCounts = new SharedArrayBuffer(settings.workers * Int32Array.BYTES_PER_ELEMENT);
  const threads = new Map<number, Thread>();
  let isOpen = true;

  const start = (index: number) => {
    if (!isOpen) return;
    const { _handle: handle } = listener as { _handle?: { fd: number } };
    const workerData: ThreadData = {
      ...{ settings, counts: reads.memory, fd: handle?.fd ?? -1 },
      ...{ connections: openCounts, index },
    };
    const worker = new Worker(entry, {
      workerData,
      execArgv: [],
      resourceLimits: { maxYoungGenerationSizeMb: YOUNG_MB },
    });
    const post = (message: OwnerMessage, bytes?: Uint8Array) =>
      worker.postMessage(message, bytes ? [bytes.buffer as ArrayBuffer] : []);
    const remote = openRemoteConnections(server, isExcess, post);
    worker.on('message', (message: ThreadMessage) => {
      if ('id' in message) remote.handle(message);
      else if (message.type === 'observed') observe(message.responses);
      else if (message.type === 'broken') metrics.countBroken(message.error);
    });
    worker.on('error', error => log.error(`a thread that serves has failed: ${error.message}`));
    const listenerClosed = new Promise<void>(resolve => {
      worker.on('message', ({ type }: ThreadMessage) => type === 'listenerClosed' && resolve());
      worker.once('exit', () => resolve());
    });
    const ended = new Promise<void>(resolve => {
      worker.once('exit', () => {
        threads.delete(index);
        remote.close();
        Atomics.store(new Int32Array(openCounts), index, 0);
        if (isOpen) {
          log.warn('a thread that serves has ended: starting another one');
          setTimeout(start, RESTART_MS, index).unref();
        }
        resolve();
      });
    });
    const thread = { worker, remote, listenerClosed, ended, known: 0 };
    threads.set(index, thread);
    const served = snapshot();
    if (served) send(thread, served);
  };
  const observe = (responses: (string | number)[]) => {
    for (let at = 0; at < responses.length; at += 3)
      metrics.observerOf('GET', String(responses[at]))(Number(responses[at + 1]), Number(responses[at + 2]));
  };
  const send = (thread: Thread, served: Snapshot) => {
    const { port1, port2 } = new MessageChannel();
    const chunks = sharedChunks(served);
    port1.on('message', () => port1.postMessage(chunks.next().value ?? null));
    port1.unref();
    const { version, timeZone } = served;
    reads.share(served.news.id);
    const ids = reads.shared(thread.known);
    thread.known += ids.length;
    const set: OwnerMessage = { type: 'set', version, timeZone, ids, port: port2 };
    thread.worker.postMessage(set, [port2]);
  };
  listener.on('connection', socket => yieldToOthers(new Int32Array(openCounts), 0, socket));
  server.on('request', ({ socket }, response) => {
    if (socket instanceof RemoteConnection) response.once('close', () => socket.answered());
  });
  const close = async (leaveMs: number) => {
    isOpen = false;
    const all = [...threads.values()];
    for (const { worker } of all) worker.postMessage({ type: 'closeListener' } satisfies OwnerMessage);
    const timer = setTimeout(() => {
      for (const { worker } of all) void worker.terminate();
    }, leaveMs);
    await Promise.all(all.map(({ ended }) => ended));
    clearTimeout(timer);
  };
  let closing: Promise<void> | undefined;
  for (let index = 1; index < settings.workers; index += 1) start(index);
  return {
    serve(served) {
      for (const thread of threads.values()) send(thread, served);
    },
    connections: () => [...threads.values()].reduce((sum, { remote }) => sum + remote.count(), 0),
    stop() {
      for (const { worker } of threads.values()) worker.postMessage({ type: 'stop' } satisfies OwnerMessage);
    },
    close(leaveMs) {
      closing ??= close(leaveMs);
      return closing;
    },
    async listenersClosed() {
      await Promise.all([...threads.values()].map(({ listenerClosed }) => listenerClosed));
    },
  };
}
