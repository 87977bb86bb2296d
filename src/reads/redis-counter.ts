import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadCounter } from './counter.ts';
import type { Log } from './log.ts';
import { openExchange } from './redis/exchange.ts';
import type { Leftover } from './redis/leftover.ts';
import type { RedisLink } from './redis/link.ts';
import { openOutbox } from './redis/outbox.ts';
import { openView } from './redis/view.ts';
import type { StateFile } from './state/file.ts';
import { openSaving } from './state/saving.ts';

/** For how long a request waits for Redis, in milliseconds. */
const PATIENCE_MS = 250;

/**
 * Counts in Redis, together with other processes. Reads that come together are sent as one batch. While Redis is slow
 * or away they are counted here, and sent when it answers. What is not sent yet is saved to the file every
 * `flushIntervalMs`, and what others have counted is learned as often.
 */
export async function openRedisCounter(
  link: RedisLink,
  file: StateFile<Leftover>,
  flushIntervalMs: number,
  log: Log,
): Promise<ReadCounter> {
  const left = (await file.load()) ?? { counts: new Map(), kept: [], unsent: [] };
  const outbox = openOutbox(randomUUID(), left, performance.now());
  const view = openView(
    left.counts,
    left.unsent.flatMap(({ deltas }) => deltas),
  );
  const exchange = openExchange(link, outbox, view, log, () => performance.now());
  let trouble: string | undefined;
  let isRefreshDue = true;
  let isFileBehind = false;

  const fail = (reason: string) => {
    if (!trouble)
      log.error(`Redis is in trouble (${reason}): reads are counted here, to be sent when it answers`);
    trouble = reason;
    outbox.giveUp();
  };
  const recover = () => {
    if (trouble) log.info('Redis answers again');
    trouble = undefined;
  };
  /** Whoever has waited since `start`, in milliseconds of `performance.now()`, is answered from here in time. */
  const patiently = async (exchanged: Promise<void>, start: number) => {
    const reason = `no answer for ${PATIENCE_MS} ms`;
    const timer = setTimeout(fail, start + PATIENCE_MS - performance.now(), reason);
    await exchanged.finally(() => clearTimeout(timer));
  };
  /** Sends all that there is to send. */
  const talk = async () => {
    let start = performance.now();
    for (;;) {
      const sent = performance.now();
      const isRefresh = isRefreshDue;
      const batch = isRefresh ? undefined : outbox.next();
      if (!isRefresh && !batch) return recover();
      isRefreshDue = false;
      await patiently(batch ? exchange.deliver(batch) : exchange.refresh(), start);
      // Whoever waits now has come since it was sent; or since now, where it took too long and all were given up.
      start = trouble ? performance.now() : sent;
      if (batch) recover();
      isFileBehind ||= batch !== undefined;
    }
  };
  let talking: Promise<void> | undefined;
  const talkOnce = () => {
    talking ??= talk()
      .catch(error => fail(error.message))
      .finally(() => (talking = undefined));
    return talking;
  };
  const saving = openSaving(
    'reads that Redis may not have yet',
    async () => {
      // Nobody else has any business with this file.
      if (!(await file.isUntouched())) await file.load();
      if (!isFileBehind) return;
      isFileBehind = false;
      await file.save({ counts: view.stored(), ...outbox.outstanding() }).catch(error => {
        isFileBehind = true;
        throw error;
      });
    },
    log,
  );
  const refresh = () => {
    isRefreshDue = true;
    return talkOnce();
  };
  const timer = setInterval(() => void Promise.all([refresh(), saving.flush()]), flushIntervalMs).unref();
  link.onReady(() => {
    exchange.startOver();
    void refresh();
  });
  await refresh();

  let isGathering = false;
  /** Once the requests that came together are through. */
  const sendSoon = () => {
    if (isGathering) return;
    isGathering = true;
    setImmediate(() => {
      isGathering = false;
      void talkOnce();
    });
  };
  const flush = async () => {
    // With nothing left to send it ends, and in trouble it may not.
    await Promise.race([talkOnce(), delay(2 * PATIENCE_MS)]);
    await saving.flush();
  };

  return {
    raise(id, floor) {
      view.add(id);
      isFileBehind = true;
      const known = view.shown(id, floor);
      if (trouble) {
        outbox.add(id, floor);
        return known;
      }
      sendSoon();
      return new Promise(resolve => outbox.add(id, floor, count => resolve(count ?? known)));
    },
    shown: view.shown,
    health: () => ({
      store: 'redis',
      unsaved: view.unsaved(),
      reasons: reasonsOf(trouble, saving.fault()),
    }),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      link.close();
      const fault = saving.fault();
      if (fault && view.unsaved() > 0) {
        throw new Error(
          `${view.unsaved()} reads could neither be told to Redis nor be saved: ${fault.message}`,
        );
      }
    },
  };
}

function reasonsOf(trouble: string | undefined, fault: Error | undefined): string[] {
  return [
    ...(trouble ? [`Redis is in trouble, and reads wait to be sent: ${trouble}`] : []),
    ...(fault ? [`reads that Redis may not have yet cannot be saved: ${fault.message}`] : []),
  ];
}
