import { type Batch, chunks, type Delta, type Outstanding } from './batch.ts';

/** How long to keep a batch after Redis acknowledged it, in ms: Redis may lose its last two seconds. */
export const KEEP_MS = 5000;

/** Receives the count after a read, or undefined if it is unknown for now. */
export type OnCount = (count: number | undefined) => void;

/** A delta, and the requests that wait for the counts of its reads, numbered from 1. */
interface OpenDelta extends Delta {
  waiting: { position: number; onCount: OnCount }[];
}

/** A batch to send, complete. */
export interface SealedBatch extends Batch {
  deltas: OpenDelta[];
}

export type Outbox = ReturnType<typeof openOutbox>;

/**
 * Collects reads, seals them in batches to send one by one, and keeps each batch until Redis can no longer lose it.
 * Times are milliseconds of a monotonic clock.
 */
export function openOutbox(instance: string, previous: Outstanding, now: number) {
  const kept = previous.kept.map(batch => ({ batch, acknowledgedAt: now }));
  const sealed: SealedBatch[] = previous.unsent.map(batch => ({ ...batch, deltas: batch.deltas.map(open) }));
  const collecting = new Map<number, OpenDelta>();
  let sequence = 0;
  let acknowledged = 0;
  let changes = 0;

  const seal = () => {
    const [deltas = []] = chunks([...collecting.values()]);
    for (const { id } of deltas) collecting.delete(id);
    sequence += 1;
    sealed.push({ instance, sequence, deltas });
  };
  /** The batches that the collected reads will become; they may still grow. */
  const collected = (): Batch[] =>
    chunks([...collecting.values()]).map((deltas, index) => ({
      instance,
      sequence: sequence + 1 + index,
      deltas,
    }));

  return {
    add(id: number, floor: number, onCount?: OnCount): void {
      const delta = collecting.get(id) ?? open({ id, reads: 0, floor });
      delta.reads += 1;
      delta.floor = Math.max(delta.floor, floor);
      if (onCount) delta.waiting.push({ position: delta.reads, onCount });
      collecting.set(id, delta);
      changes += 1;
    },
    /** The batch to send: the same one until it is acknowledged. */
    next(): SealedBatch | undefined {
      if (sealed.length === 0 && collecting.size > 0) seal();
      return sealed[0];
    },
    /** Redis applied the batch from `next`. */
    acknowledge(now: number): void {
      const batch = sealed.shift();
      if (!batch) return;
      kept.push({ batch, acknowledgedAt: now });
      changes += 1;
      if (batch.instance === instance) acknowledged = batch.sequence;
    },
    /** Drops batches acknowledged more than `KEEP_MS` ago. Call it only when Redis has lost nothing. */
    dropOld(now: number): void {
      const first = kept.findIndex(({ acknowledgedAt }) => acknowledgedAt > now - KEEP_MS);
      kept.splice(0, first === -1 ? kept.length : first);
    },
    /** The last sequence number that Redis acknowledged, by instance. */
    acknowledged(): Map<string, number> {
      const others = kept.map(({ batch }) => [batch.instance, batch.sequence] as const);
      return new Map([...others, [instance, acknowledged]]);
    },
    /** The kept batches of an instance after a sequence number. */
    keptAfter(instance: string, sequence: number): Batch[] {
      const batches = kept.map(({ batch }) => batch);
      return batches.filter(batch => batch.instance === instance && batch.sequence > sequence);
    },
    /** Redis acknowledged these batches again, and may lose them again. */
    renew(batches: Batch[], now: number): void {
      const renewed = new Set(batches);
      for (const one of kept) if (renewed.has(one.batch)) one.acknowledgedAt = now;
    },
    /** Resolves all waiting requests without a count. */
    giveUp(): void {
      for (const { waiting } of [...sealed.flatMap(({ deltas }) => deltas), ...collecting.values()])
        for (const { onCount } of waiting.splice(0)) onCount(undefined);
    },
    /** A number that grows with every change of `outstanding`. */
    changes: () => changes,
    outstanding: (): Outstanding => ({
      kept: kept.map(({ batch }) => batch),
      unsent: [...sealed, ...collected()],
    }),
  };
}

function open(delta: Delta): OpenDelta {
  return { ...delta, waiting: [] };
}
