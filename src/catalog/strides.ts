import { setImmediate as breathe } from 'node:timers/promises';

/** How many rows are taken at a time: about a millisecond's work. */
const STRIDE = 2_000;

/** Calls `take` for the rows from 0 on, and lets requests be answered every now and then. */
export async function eachRow(count: number, take: (row: number) => void): Promise<void> {
  for (let row = 0; row < count; row += 1) {
    take(row);
    if (row % STRIDE === STRIDE - 1) await breathe();
  }
}
