import type { Log } from '../log.ts';
import { floorsOf } from './batch.ts';
import type { RedisLink } from './link.ts';
import { KEEP_MS, type Outbox, type SealedBatch } from './outbox.ts';
import type { View } from './view.ts';

/** See `openExchange`. */
export interface Exchange {
  /** Learns what has changed, and makes sure that Redis still has what it had acknowledged. */
  refresh(): Promise<void>;
  /** Sends the batch, and answers who waits for it. */
  deliver(batch: SealedBatch): Promise<void>;
  /** What was learned is no longer to be relied on, since there is a new connection. */
  startOver(): void;
}

/**
 * Brings the batches of an outbox to Redis, and what others have counted into the view; and heals a Redis that has come
 * back without what it had acknowledged. Calls have to come one after the other; they reject where Redis fails. `now`
 * tells milliseconds, and never goes back.
 */
export function openExchange(
  link: RedisLink,
  outbox: Outbox,
  view: View,
  log: Log,
  now: () => number,
): Exchange {
  let revision = 0;

  /** Redis knows no batch of the instance after `last`, and had acknowledged all up to `acknowledged`. */
  const makeGood = async (instance: string, last: number, acknowledged: number) => {
    const lost = outbox.keptAfter(instance, last);
    if (lost[0]?.sequence === last + 1) {
      log.warn(
        `Redis has lost ${lost.length} batches of reads that it had acknowledged: they are sent again`,
      );
      await Promise.all(lost.map(batch => link.apply(batch, batch.sequence - 1)));
      return outbox.renew(lost, now());
    }
    log.error(
      `Redis has lost reads of more than ${KEEP_MS / 1000} s: its counts are raised to what is known here`,
    );
    for (const batch of floorsOf(view.stored(), instance, last)) await link.apply(batch, last);
    await link.apply({ instance, sequence: acknowledged, deltas: [] }, last);
  };

  const refresh = async () => {
    const acknowledged = outbox.acknowledged();
    for (;;) {
      const { lasts, ...changes } = await link.changes(revision, [...acknowledged.keys()]);
      const lost = [...acknowledged].filter(([instance, sequence]) => sequence > (lasts.get(instance) ?? 0));
      for (const [instance, sequence] of lost) await makeGood(instance, lasts.get(instance) ?? 0, sequence);
      if (lost.length > 0) continue;
      view.learn(changes.counts, changes.isWhole);
      revision = changes.revision;
      return outbox.forget(now());
    }
  };
  /** Applies a batch, and what has to come before it. Returns no counts where Redis has had it already. */
  const apply = async (batch: SealedBatch): Promise<number[]> => {
    const base = batch.sequence - 1;
    const { last, counts } = await link.apply(batch, base);
    if (last >= base) return counts;
    await makeGood(batch.instance, last, base);
    const again = await link.apply(batch, base);
    if (again.last >= base) return again.counts;
    throw new Error('it loses what it acknowledges');
  };

  return {
    refresh,
    async deliver(batch) {
      const counts = await apply(batch);
      outbox.acknowledge(now());
      view.settle(batch.deltas);
      for (const [index, { id, reads, waiting }] of batch.deltas.entries()) {
        const count = counts[index];
        if (count !== undefined) view.learn([[id, count]]);
        for (const { place, answer } of waiting.splice(0)) {
          answer(count === undefined ? undefined : count - reads + place);
        }
      }
      // What the first answer said was lost on the way.
      if (counts.length === 0) await refresh();
    },
    startOver() {
      revision = 0;
    },
  };
}
