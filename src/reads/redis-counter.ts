import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ReadCounter } from './counter.ts';
import type { Log } from './log.ts';
import { openExchange } from './redis/exchange.ts';
import type { Leftover } from './redis/leftover.ts';
import type { RedisLink } from './redis/link.ts';
import { openOutbox } from './redis/outbox.ts';
import { openTalk, PATIENCE_MS } from './redis/talk.ts';
import { openView } from './redis/view.ts';
import type { StateFile } from './state/file.ts';
import { openSaving } from './state/saving.ts';

const WHAT = 'reads that Redis may not have yet';

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
  const view = openView(left);
  const exchange = openExchange(link, outbox, view, log, () => performance.now());
  const talk = openTalk(exchange, outbox, log);
  let counted = 0;
  let savedChanges = 0;
  let isGathering = false;

  const save = async () => {
    // Nobody else has any business with this file.
    if (!(await file.isUntouched())) await file.load();
    const changes = outbox.changes();
    if (changes === savedChanges) return;
    await file.save({ counts: view.stored(), ...outbox.outstanding() });
    savedChanges = changes;
  };
  const saving = openSaving(WHAT, save, log);
  /** Once the requests that came together are through. */
  const sendSoon = () => {
    if (isGathering) return;
    isGathering = true;
    setImmediate(() => {
      isGathering = false;
      void talk.send();
    });
  };
  const flush = async () => {
    // It ends when nothing is left to send, which a Redis in trouble may put off.
    await Promise.race([talk.send(), delay(2 * PATIENCE_MS)]);
    await saving.flush();
  };
  const tick = () => Promise.all([talk.refresh(), saving.flush()]);
  const timer = setInterval(() => void tick(), flushIntervalMs).unref();
  link.onReady(() => {
    exchange.startOver();
    void talk.refresh();
  });
  await talk.refresh();

  return {
    raise(id, floor) {
      counted += 1;
      view.add(id);
      const known = view.shown(id, floor);
      if (talk.trouble()) {
        outbox.add(id, floor);
        return known;
      }
      sendSoon();
      return new Promise(resolve => outbox.add(id, floor, count => resolve(count ?? known)));
    },
    shown: view.shown,
    revision: view.revision,
    health: () => ({
      store: 'redis',
      counted,
      unsaved: view.unsaved(),
      lastFlush: saving.lastFlush(),
      reasons: reasonsOf(talk.trouble(), saving.fault()),
    }),
    flush,
    async close() {
      clearInterval(timer);
      await flush();
      link.close();
      const fault = saving.fault();
      if (!fault || view.unsaved() === 0) return;
      throw new Error(`${view.unsaved()} reads could neither be sent to Redis nor saved: ${fault.message}`);
    },
  };
}

function reasonsOf(trouble: string | undefined, fault: Error | undefined): string[] {
  return [
    ...(trouble ? [`Redis is in trouble, and reads wait to be sent: ${trouble}`] : []),
    ...(fault ? [`${WHAT} cannot be saved: ${fault.message}`] : []),
  ];
}
