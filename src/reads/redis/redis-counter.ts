import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import { type Log, plural, reasonOf } from '../../messages.ts';
import type { ReadCounter } from '../counter.ts';
import { openFlusher } from '../file/flusher.ts';
import type { StateFile } from '../file/state-file.ts';
import type { Journal } from './journal.ts';
import { openLocalCounts } from './local-counts.ts';
import { openOutbox } from './outbox.ts';
import type { RedisClient } from './redis-client.ts';
import { openSender, PATIENCE_MS } from './sender.ts';
import { openSync } from './sync.ts';

const WHAT = 'reads that Redis may not have yet';

/**
 * Counts in Redis together with other processes, and sends the reads of simultaneous requests as one batch. While Redis
 * fails, counts here and sends later. Every `flushIntervalMs` it saves unsent reads to the journal and reads the counts
 * of the other processes.
 */
export async function openRedisCounter(
  client: RedisClient,
  journal: StateFile<Journal>,
  flushIntervalMs: number,
  log: Log,
): Promise<ReadCounter> {
  const previous = (await journal.load()) ?? { counts: new Map(), kept: [], unsent: [] };
  const outbox = openOutbox(randomUUID(), previous, performance.now());
  const localCounts = openLocalCounts(previous);
  const sync = openSync(client, outbox, localCounts, log, () => performance.now());
  const sender = openSender(sync, outbox, log);
  let counted = 0;
  let savedChanges = 0;
  let isCollecting = false;

  const save = async () => {
    // Changes that others make to the journal do not count.
    if (!(await journal.isUnchanged())) await journal.load();
    const changes = outbox.changes();
    if (changes === savedChanges) return;
    await journal.save({ counts: localCounts.stored(), ...outbox.outstanding() });
    savedChanges = changes;
  };
  const flusher = openFlusher(WHAT, save, flushIntervalMs, log);
  /** Sends after the requests that arrived together. */
  const sendSoon = () => {
    if (isCollecting) return;
    isCollecting = true;
    setImmediate(() => {
      isCollecting = false;
      void sender.send();
    });
  };
  const flush = async () => {
    // A failing Redis can keep `send` from ending.
    await Promise.race([sender.send(), delay(2 * PATIENCE_MS)]);
    await flusher.flush();
  };
  const tick = () => Promise.all([sender.refresh(), flusher.flush()]);
  const timer = setInterval(() => void tick(), flushIntervalMs).unref();
  client.onReady(() => {
    sync.reset();
    void sender.refresh();
  });
  await sender.refresh();

  return {
    raise(id, floor) {
      counted += 1;
      localCounts.add(id);
      const estimate = localCounts.shown(id, floor);
      if (sender.fault()) {
        outbox.add(id, floor);
        return estimate;
      }
      sendSoon();
      return new Promise(resolve => outbox.add(id, floor, count => resolve(count ?? estimate)));
    },
    shown: localCounts.shown,
    revision: localCounts.revision,
    health() {
      const [redisFault, fileFault] = [sender.fault(), flusher.fault()];
      const reasons = [
        ...(redisFault
          ? [`cannot count in Redis, reads are kept here until it works again: ${redisFault}`]
          : []),
        ...(fileFault ? [`${WHAT} cannot be saved: ${reasonOf(fileFault)}`] : []),
      ];
      return {
        store: 'redis',
        counted,
        unsaved: localCounts.unsaved(),
        lastFlush: flusher.lastFlush(),
        reasons,
      };
    },
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      client.close();
      const fault = flusher.fault();
      if (!fault || localCounts.unsaved() === 0) return;
      const reads = plural(localCounts.unsaved(), 'read');
      throw new Error(`${reads} could be neither sent to Redis nor saved: ${fault.message}`);
    },
  };
}
