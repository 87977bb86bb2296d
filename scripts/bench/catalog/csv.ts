import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** How many rows are written at a time. */
const BATCH = 500;

/** Writes rows of the same keys as a CSV file with a header; `onRows` hears how many more are written. */
export async function writeCsv(
  path: string,
  rows: Iterable<object>,
  onRows: (count: number) => void,
): Promise<void> {
  await pipeline(Readable.from(batches(rows, onRows)), createWriteStream(path));
}

function* batches(rows: Iterable<object>, onRows: (count: number) => void): Generator<string> {
  let lines: string[] = [];
  let isFirst = true;
  for (const row of rows) {
    if (isFirst) lines.push(line(Object.keys(row)));
    isFirst = false;
    lines.push(line(Object.values(row)));
    if (lines.length < BATCH) continue;
    yield lines.join('');
    onRows(lines.length);
    lines = [];
  }
  yield lines.join('');
  onRows(lines.length);
}

function line(cells: unknown[]): string {
  return `${cells.map(cell).join(',')}\n`;
}

function cell(value: unknown): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
