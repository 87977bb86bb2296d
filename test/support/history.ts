import type { Fs } from '../../src/files/atomic-write.ts';
import { type Entry, gzipped, hasContent, keptSets } from '../../src/history/entries.ts';
import { type HistoryBounds, keepEntry, prune } from '../../src/history/keep.ts';
import { sha256 } from '../../src/set/files.ts';
import { DIRECTORY } from './simulated-disk.ts';

export const HISTORY = `${DIRECTORY}/history`;

const CATALOG_DIR = '/catalog';

/** More than any test keeps. */
export const UNBOUNDED: HistoryBounds = { historyMb: 1000, historyDays: 1000 };

/** A set of files with these texts, which was served since a time in seconds since 1970. */
export function setOf(texts: Record<string, string>, since = 0): { entry: Entry; texts: string[] } {
  const files = Object.entries(texts).map(([file, text]) => ({
    catalog: 'products' as const,
    file,
    rows: 1,
    sheet: undefined,
    encoding: 'utf-8',
    delimiter: undefined,
    decimal: undefined,
    lastRow: undefined,
    bytes: Buffer.byteLength(text),
    sha256: sha256(Buffer.from(text)),
  }));
  const version = sha256(Buffer.from(JSON.stringify(texts))).slice(0, 12);
  const reading = { csvEncoding: 'utf-8', csvDecimal: '.' as const, timeZone: 'UTC', markdownHtml: false };
  return { entry: { version, since, catalogDir: CATALOG_DIR, files, reading }, texts: Object.values(texts) };
}

/** Keeps a set and prunes the history at its time, as one service on this disk does. */
export async function keepAndPrune(
  fs: Fs,
  { entry, texts }: ReturnType<typeof setOf>,
  bounds: HistoryBounds = UNBOUNDED,
  onDamage: (sentence: string) => void = () => {},
  dir = HISTORY,
): Promise<void> {
  const contents = new Map<string, Buffer>();
  for (const [index, { sha256: hash }] of entry.files.entries())
    if (!(await hasContent(fs, dir, hash))) contents.set(hash, gzipped(Buffer.from(texts[index] ?? '')));
  await keepEntry(fs, dir, entry, contents);
  await prune({ fs, dir, onDamage }, bounds, entry.since);
}

/** The texts of each whole set that the history has, newest first, and what it says about the others. */
export async function readAll(fs: Fs, dir = HISTORY): Promise<{ sets: string[][]; damage: string[] }> {
  const damage: string[] = [];
  const sets: string[][] = [];
  const onDamage = (sentence: string) => damage.push(sentence);
  for await (const { files } of keptSets({ fs, dir, onDamage }, CATALOG_DIR))
    sets.push(files.map(({ content }) => content.toString()));
  return { sets, damage };
}
