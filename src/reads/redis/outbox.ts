import { type Batch, type Delta, inPieces, type Outstanding } from './batch.ts';

/** For how long a batch is kept after it was acknowledged, in milliseconds: Redis may lose its last two seconds. */
export const KEEP_MS = 5000;

/** Hears the count after a read, or that nobody knows it for now. */
export type Answer = (count: number | undefined) => void;

/** A delta with those who wait for it, each for one of its reads, counted from 1. */
interface OpenDelta extends Delta {
  waiting: { place: number; answer: Answer }[];
}

/** A batch to be sent, with those who wait for it. */
export interface SealedBatch extends Batch {
  deltas: OpenDelta[];
}

export type Outbox = ReturnType<typeof openOutbox>;

/**
 * Gathers reads, seals them in batches to be sent one after the other, and keeps these until they are safe. Times are
 * milliseconds of a clock that never goes back.
 */
export function openOutbox(instance: string, left: Outstanding, now: number) {
  const kept: { batch: Batch; acknowledged: number }[] = left.kept.map(batch => ({
    batch,
    acknowledged: now,
  }));
  const sealed: SealedBatch[] = left.unsent.map(batch => ({ ...batch, deltas: batch.deltas.map(open) }));
  const gathering = new Map<number, OpenDelta>();
  let sequence = 0;
  let acknowledged = 0;
  let changes = 0;

  const seal = () => {
    const [deltas = []] = inPieces([...gathering.values()]);
    for (const { id } of deltas) gathering.delete(id);
    sequence += 1;
    sealed.push({ instance, sequence, deltas });
  };
  /** What is gathered as the batches that it will be, though they may have more reads by then. */
  const toBeSealed = (): Batch[] =>
    inPieces([...gathering.values()]).map((deltas, index) => ({
      instance,
      sequence: sequence + 1 + index,
      deltas,
    }));

  return {
    add(id: number, floor: number, answer?: Answer): void {
      const delta = gathering.get(id) ?? open({ id, reads: 0, floor });
      delta.reads += 1;
      delta.floor = Math.max(delta.floor, floor);
      if (answer) delta.waiting.push({ place: delta.reads, answer });
      gathering.set(id, delta);
      changes += 1;
    },
    /** The batch to send, which is the same one until it is acknowledged. */
    next(): SealedBatch | undefined {
      if (sealed.length === 0 && gathering.size > 0) seal();
      return sealed[0];
    },
    /** The batch to send was applied. */
    acknowledge(now: number): void {
      const batch = sealed.shift();
      if (!batch) return;
      kept.push({ batch, acknowledged: now });
      changes += 1;
      if (batch.instance === instance) acknowledged = batch.sequence;
    },
    /** Lets go of what was acknowledged long ago. Only while it is known that nothing was lost. */
    forget(now: number): void {
      const first = kept.findIndex(({ acknowledged }) => acknowledged > now - KEEP_MS);
      kept.splice(0, first === -1 ? kept.length : first);
    },
    /** The sequences that Redis has acknowledged, by instance. */
    acknowledged(): Map<string, number> {
      const others = kept.map(({ batch }) => [batch.instance, batch.sequence] as const);
      return new Map([...others, [instance, acknowledged]]);
    },
    /** The batches of an instance that are kept and come after a sequence. */
    keptAfter(instance: string, sequence: number): Batch[] {
      const batches = kept.map(({ batch }) => batch);
      return batches.filter(batch => batch.instance === instance && batch.sequence > sequence);
    },
    /** These were acknowledged once more, and may be lost once more. */
    renew(batches: Batch[], now: number): void {
      const renewed = new Set(batches);
      for (const one of kept) if (renewed.has(one.batch)) one.acknowledged = now;
    },
    /** Tells all who wait that nobody knows their count for now. */
    giveUp(): void {
      for (const { waiting } of [...sealed.flatMap(({ deltas }) => deltas), ...gathering.values()]) {
        for (const { answer } of waiting.splice(0)) answer(undefined);
      }
    },
    /** How often what is outstanding has changed. */
    changes: () => changes,
    outstanding: (): Outstanding => ({
      kept: kept.map(({ batch }) => batch),
      unsent: [...sealed, ...toBeSealed()],
    }),
  };
}

function open(delta: Delta): OpenDelta {
  return { ...delta, waiting: [] };
}
