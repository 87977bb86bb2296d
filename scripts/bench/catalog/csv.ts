import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/** How many rows are written at once. */
const BATCH = 500;

/** Writes rows with the same keys as a CSV file with a header. */
export async function writeCsv(path: string, rows: Iterable<object>): Promise<void> {
  await pipeline(Readable.from(batches(rows)), createWriteStream(path));
}

function* batches(rows: Iterable<object>): Generator<string> {
  let lines: string[] = [];
  for (const row of rows) {
    if (lines.length === 0) lines.push(line(Object.keys(row)));
    lines.push(line(Object.values(row)));
    if (lines.length < BATCH) continue;
    yield lines.join('');
    lines = [''];
  }
  yield lines.join('');
}

function line(cells: unknown[]): string {
  return `${cells.map(cell).join(',')}\n`;
}

function cell(value: unknown): string {
  const text = String(value);
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
