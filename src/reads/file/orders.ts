import { readFile, unlink, writeFile } from 'node:fs/promises';
import { errorCode, isSame, type Stats, statsOf, systemFs, unlessMissing } from '../../files/atomic-write.ts';
import { type Counts, parseCounts } from '../counts.ts';

/** What `vitrine counts set` orders from the process that uses the counts file, in a file next to it. */
export interface Orders {
  /** The counts to set; undefined if there is no order, or none but the one that was taken. */
  take(): Promise<Counts | undefined>;
  /** Deletes the order that was taken: its counts are saved, and the command ends. */
  done(): Promise<void>;
}

export function orderPath(countsPath: string): string {
  return `${countsPath}.set`;
}

export function openOrders(path: string): Orders {
  let taken: Stats | undefined;
  return {
    async take() {
      const text = await readFile(path, 'utf8').catch(unlessMissing);
      const stats = text === undefined ? undefined : await statsOf(systemFs, path);
      if (!stats || isSame(stats, taken)) return undefined;
      try {
        const counts = parseCounts(JSON.parse(text ?? ''));
        taken = stats;
        return counts;
      } catch {
        // Not written to its end yet.
        return undefined;
      }
    },
    async done() {
      if (taken && isSame(await statsOf(systemFs, path), taken)) await unlink(path).catch(unlessMissing);
      taken = undefined;
    },
  };
}

/** @throws Error if the order of another command waits, or it cannot be written. */
export async function placeOrder(path: string, counts: Counts): Promise<void> {
  const text = JSON.stringify(Object.fromEntries(counts));
  await writeFile(path, text, { flag: 'wx' }).catch(error => {
    if (errorCode(error) !== 'EEXIST') throw error;
    throw new Error(`${path} is the order of another "vitrine counts set": wait for it, or delete the file`);
  });
}
