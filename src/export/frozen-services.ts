import type { LoadedSet } from '../live/load.ts';
import { openStatus } from '../live/status.ts';
import type { Services } from '../services.ts';
import { type Snapshot, snapshotAt } from '../snapshot/snapshot.ts';

/**
 * Services that stand still: one set as at an instant (Unix seconds), and read counts that nothing raises. They open no
 * files.
 */
export function frozenServices(
  report: LoadedSet['report'],
  loaded: Snapshot,
  counts: ReadonlyMap<number, number>,
  instant: number,
): Services {
  const snapshot = snapshotAt(loaded, instant);
  const keeper = openStatus(() => {});
  keeper.loaded(report, snapshot);
  const shown = (id: number, floor: number) => Math.max(counts.get(id) ?? 0, floor);
  return {
    catalog: {
      snapshot: () => snapshot,
      status: keeper.status,
      loaded: Promise.resolve(),
      close: async () => keeper.close(),
    },
    reads: {
      raise: shown,
      shown,
      revision: () => 0,
      health: () => ({ store: 'file', counted: 0, unsaved: 0, lastFlush: undefined, reasons: [] }),
      flush: async () => {},
      close: async () => {},
    },
    now: () => instant,
    close: async () => keeper.close(),
  };
}
