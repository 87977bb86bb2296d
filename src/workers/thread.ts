import { on } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { openSnapshotBuilder } from '../catalog/snapshot/builder.ts';
import type { Snapshot } from '../catalog/snapshot/snapshot.ts';
import { registerFastPath } from '../http/fast-path/fast-path.ts';
import { API_PREFIX } from '../http/plugins/headers.ts';
import { openCaching } from '../http/response/cache-control.ts';
import { compressionOf } from '../http/response/compression/compression.ts';
import { apiRoutes } from '../http/routes/api.ts';
import { createHttpServer } from '../http/server/server.ts';
import { openThreadCounts } from '../reads/file/shared-counts.ts';
import { yieldToOthers } from './balance.ts';
import { duplicateSocket } from './listening-socket.ts';
import { openObservers } from './observers.ts';
import type { OwnerMessage, ThreadData, ThreadMessage } from './protocol.ts';
import { openRouteCollector } from './route-collector.ts';
import { openThreadConnections } from './thread-connections.ts';

// The program of a thread that serves; see pool.ts for the other end. It answers what the fast path answers, and has the
// main thread answer everything else.

/** More connections than threads can open before the main thread has counted them. */
const SPARE_CONNECTIONS = 16;

const { settings, counts: memory, fd, connections: open, index }: ThreadData = workerData;
const post = (message: ThreadMessage) => parentPort?.postMessage(message);
const now = () => Date.now() / 1000;
const counts = openThreadCounts(memory);
const openCounts = new Int32Array(open);
let snapshot: Snapshot | undefined;
let arriving = Promise.resolve();
/** How many sets are on their way. */
let expected = 0;
let isClosing = false;

const connections = openThreadConnections(post, () => isFarFromLimits(openCounts));
const collector = openRouteCollector(connections.forward);
registerFastPath(collector.app, {
  ...settings,
  ...{ served: () => snapshot, now, isExcess: connections.isExceededBy },
  metrics: openObservers(responses => post({ type: 'observed', responses })),
  compression: compressionOf(settings),
});
collector.app.register(apiRoutes, {
  reads: {
    raise: counts.raise,
    shown: (id, floor) => Math.max(counts.get(id), floor),
    revision: counts.revision,
    // The main thread answers what needs these.
    health: unused,
    flush: unused,
    close: unused,
  },
  now,
  cachingHeaders: openCaching(settings.cacheMaxAge, now),
  prefix: settings.basePath + API_PREFIX,
});
const server = createHttpServer(collector.handle, settings, connections, error =>
  post({ type: 'broken', error }),
);
server.on('connection', socket => yieldToOthers(openCounts, index, socket));
parentPort?.on('message', handle);
const socket = await duplicateSocket(fd);
if (isClosing) {
  socket.close();
  post({ type: 'listenerClosed' });
} else server.listen(socket);

function handle(message: OwnerMessage): void {
  if ('id' in message) connections.handle(message);
  else if (message.type === 'set') {
    // The main thread serves it already. A connection that has seen its version must not see an older one.
    snapshot = undefined;
    expected += 1;
    arriving = arriving.then(() => take(message));
  } else if (message.type === 'stop') collector.stop();
  else close();
}

/** Ends the thread once its connections are closed. */
function close(): void {
  isClosing = true;
  const { listening } = server;
  server.close(() => parentPort?.close());
  if (listening) post({ type: 'listenerClosed' });
}

/** Serves a set once all of its chunks have arrived; until then, the main thread answers all requests. */
async function take({ version, timeZone, ids, port }: Extract<OwnerMessage, { type: 'set' }>): Promise<void> {
  counts.learn(ids);
  const builder = openSnapshotBuilder(timeZone, undefined, settings.workers);
  const next = () => port.postMessage('next');
  next();
  for await (const [chunk] of on(port, 'message')) {
    if (chunk === null) break;
    builder.add(chunk);
    next();
  }
  port.close();
  const built = await builder.build(version);
  expected -= 1;
  if (expected === 0) snapshot = built;
}

/** Whether so few connections are open that no limit can be reached before the main thread has counted one more. */
function isFarFromLimits(openCounts: Int32Array): boolean {
  const sum = openCounts.reduce((total, count) => total + count, 0);
  return settings.maxConnectionsPerIp === 0 && sum < settings.maxConnections / 2 - SPARE_CONNECTIONS;
}

function unused(): never {
  throw new Error('the main thread answers this');
}
