/** How far the reading of a set is. */
export interface Progress {
  /** The rows read so far. */
  rows: number;
  /** How much of the bytes of all files has been read, from 0 to 100; also 100 while the indexes are built. */
  percent: number;
  /** For how many seconds there has been no progress; undefined while there is some. */
  stalledSeconds?: number | undefined;
}

export type OnProgress = (progress: Progress) => void;

/** How many rows are read between two calls, unless the percentage rises sooner. */
const ROWS_PER_CALL = 5_000;

/** Counts the rows of a set, and calls `onProgress` now and then. */
export function countRows(onProgress: OnProgress) {
  let rows = 0;
  let percent = 0;
  return {
    /** Call this for each row, with the part of all bytes up to its end, from 0 to 1. */
    onRow(part: number) {
      rows += 1;
      const before = percent;
      percent = Math.floor(part * 100);
      if (percent > before || rows % ROWS_PER_CALL === 0) onProgress({ rows, percent });
    },
    /** Call this when all files are read. */
    end: () => onProgress({ rows, percent: 100 }),
  };
}

/** `60 %, 40,000 rows` */
export function formatProgress({ rows, percent, stalledSeconds }: Progress): string {
  const done = `${percent} %, ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
  return stalledSeconds === undefined ? done : `${done}, no progress for ${stalledSeconds} s`;
}
