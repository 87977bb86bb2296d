import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { systemFs } from '../../files/atomic-write.ts';
import { compress, hasContent } from '../history/contents.ts';
import { historyPath, type OnDamage } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import { keepEntry } from '../history/keep.ts';
import { keptSets } from '../history/kept-sets.ts';
import { prune } from '../history/prune.ts';
import { formatProblem } from '../problems/problems.ts';
import { type CatalogFile, type FileDigest, sha256 } from '../read/files.ts';
import { type CatalogSource, type OnRow, type ReadSet, readKeptSet } from './load-set.ts';

/** The contents of the files that were read last and that the history does not have yet, by their hashes. */
const contents = new Map<string, Promise<Buffer>>();

/** Compresses, while they are read, the files that the history does not have yet. */
export async function compressNew({ stateDir }: CatalogSource, files: readonly CatalogFile[]): Promise<void> {
  contents.clear();
  for (const { sha256: hash, content } of files) {
    if (await hasContent(systemFs, historyPath(stateDir), hash)) continue;
    const compressed = compress(content);
    contents.set(hash, compressed);
    // Whoever keeps the file sees the error.
    compressed.catch(() => {});
  }
}

/** Keeps a set that went live; see {@link keepEntry}. */
export async function keepSet(source: CatalogSource, entry: Entry, onDamage: OnDamage): Promise<void> {
  const dir = historyPath(source.stateDir);
  const missing = new Map<string, Buffer>();
  for (const file of entry.files) {
    if (await hasContent(systemFs, dir, file.sha256)) continue;
    missing.set(file.sha256, await (contents.get(file.sha256) ?? compressAgain(source.catalogDir, file)));
  }
  const added = await keepEntry(systemFs, dir, entry, missing);
  await prune(systemFs, dir, source, added, Date.now() / 1000, onDamage);
}

async function compressAgain(catalogDir: string, { file, sha256: hash }: FileDigest): Promise<Buffer> {
  const content = await readFile(join(catalogDir, file));
  if (sha256(content) !== hash) throw new Error(`${file} has changed since`);
  return compress(content);
}

/** Reads the newest set of the history that can be read as a whole; undefined if there is none. */
export async function restoreSet(
  source: CatalogSource,
  onRow: OnRow,
  onDamage: OnDamage,
): Promise<(ReadSet & Pick<Entry, 'since'>) | undefined> {
  for await (const { entry, files } of keptSets(systemFs, historyPath(source.stateDir), onDamage)) {
    const set = await readKeptSet(files, source, entry.reading, onRow);
    if (set.rows) return { ...set, since: entry.since };
    const [problem] = set.report.problems;
    onDamage(
      `version ${entry.version} of the history cannot be served: ${problem && formatProblem(problem)}`,
    );
  }
  return undefined;
}
