import { openBytes } from '../../../set/compare/changes.ts';
import type { HiddenRows } from '../../snapshot/sources/row-sources.ts';

/** Collects the rows that are not served, one catalog after the other. */
export function openHiddenRows() {
  const json = openBytes();
  const offsets = [0];
  const starts = [0];
  const places: number[] = [];
  return {
    /** Adds those of the next catalog. */
    add(rows: readonly { id: number }[], placeOf: (row: { id: number }) => number): void {
      for (const row of rows) {
        offsets.push(json.add(JSON.stringify(row)));
        places.push(placeOf(row));
      }
      starts.push(places.length);
    },
    rows: (): HiddenRows => ({
      json: json.bytes(),
      itemOffsets: Uint32Array.from(offsets),
      starts: Uint32Array.from(starts),
      places: Uint32Array.from(places),
    }),
  };
}
