import type { Log } from '../../messages.ts';
import { MAX_COUNT } from '../counts.ts';
import { floorBatches } from './batch.ts';
import type { LocalCounts } from './local-counts.ts';
import { KEEP_MS, type Outbox, type SealedBatch } from './outbox.ts';
import type { RedisClient } from './redis-client.ts';

export interface Sync {
  /** Updates the local counts, and restores what Redis acknowledged but lost. */
  refresh(): Promise<void>;
  /** Sends the batch, and gives waiting requests their counts. */
  deliver(batch: SealedBatch): Promise<void>;
  /** After a new connection: the next refresh reads all counts. */
  reset(): void;
}

/**
 * Keeps Redis and this process in sync: sends batches, receives the counts of all processes, and repairs a Redis that
 * lost acknowledged batches. Make one call at a time; it rejects if Redis fails. `now` is a monotonic clock in
 * milliseconds.
 */
export function openSync(
  client: RedisClient,
  outbox: Outbox,
  localCounts: LocalCounts,
  log: Log,
  now: () => number,
): Sync {
  let revision = 0;

  /** Restores the batches of an instance from `last`, the last that Redis knows, to `acknowledged`. */
  const repair = async (instance: string, last: number, acknowledged: number) => {
    const lost = outbox.keptAfter(instance, last);
    if (lost[0]?.sequence === last + 1) {
      log.warn(`Redis lost ${lost.length} acknowledged batches of reads: sending them again`);
      await Promise.all(lost.map(batch => client.apply(batch, batch.sequence - 1)));
      return outbox.renew(lost, now());
    }
    log.error(
      `Redis lost reads of more than ${KEEP_MS / 1000} s: raising its counts to those known here; a few reads may be missing or doubled`,
    );
    for (const batch of floorBatches(localCounts.stored(), instance, last)) await client.apply(batch, last);
    await client.apply({ instance, sequence: acknowledged, deltas: [] }, last);
  };

  const refresh = async () => {
    const acknowledged = outbox.acknowledged();
    for (;;) {
      const { lasts, ...changes } = await client.changes(revision, [...acknowledged.keys()]);
      const lost = [...acknowledged].filter(([instance, sequence]) => sequence > (lasts.get(instance) ?? 0));
      for (const [instance, sequence] of lost) await repair(instance, lasts.get(instance) ?? 0, sequence);
      if (lost.length > 0) continue;
      localCounts.update(changes.counts, changes.isWhole);
      revision = changes.revision;
      return outbox.dropOld(now());
    }
  };
  /** Applies a batch after those before it. Returns no counts if Redis already had it. */
  const apply = async (batch: SealedBatch): Promise<number[]> => {
    const base = batch.sequence - 1;
    const { last, counts } = await client.apply(batch, base);
    if (last >= base) return counts;
    await repair(batch.instance, last, base);
    const again = await client.apply(batch, base);
    if (again.last >= base) return again.counts;
    throw new Error('it keeps losing acknowledged batches');
  };

  return {
    refresh,
    async deliver(batch) {
      const counts = await apply(batch);
      outbox.acknowledge(now());
      localCounts.remove(batch.deltas);
      for (const [index, { id, reads, waiting }] of batch.deltas.entries()) {
        const count = counts[index];
        if (count !== undefined) localCounts.update([[id, count]]);
        // At the largest count, it is unknown how many of the reads were added.
        const before = count === MAX_COUNT ? count : Number(count) - reads;
        for (const { position, onCount } of waiting.splice(0))
          onCount(count === undefined ? undefined : Math.min(before + position, MAX_COUNT));
      }
      // The reply with the counts was lost.
      if (counts.length === 0) await refresh();
    },
    reset() {
      revision = 0;
    },
  };
}
