import { join } from 'node:path';
import { type CatalogName, catalogNames } from '../../../contract/columns.ts';
import { type Fs, systemFs, unlessMissing } from '../../../files/atomic-write.ts';
import { hasRoom } from '../../../files/room.ts';
import type { OnDamage } from '../../../history/entries.ts';
import { reasonOf } from '../../../messages.ts';
import { readParts, writeParts } from './cache-files.ts';
import type { CacheKeys } from './cache-keys.ts';

/** What is kept only to save time. It may be deleted at any time. */
export function cachePath(stateDir: string): string {
  return join(stateDir, 'cache');
}

/** What is kept of a catalog: its rows, and of news items also their tables. The rows are written last. */
const kinds = ['tables', 'rows'] as const;
type Kind = (typeof kinds)[number];

/** What was read last and is not in the cache, by the names of its files, until its set is served. */
const unwritten = new Map<string, readonly Uint8Array[]>();

/** Starts with another set. */
export function forgetUnwritten(): void {
  unwritten.clear();
}

export function rememberUnwritten(
  catalog: CatalogName,
  key: string,
  kind: Kind,
  parts: readonly Uint8Array[],
): void {
  unwritten.set(nameOf(catalog, key, kind), parts);
}

/** Reads what is kept of a catalog; undefined if it is missing or damaged. */
export async function readCached(
  stateDir: string,
  catalog: CatalogName,
  key: string,
  kind: Kind,
  onDamage: OnDamage,
): Promise<Buffer[] | undefined> {
  try {
    return await readParts(systemFs, join(cachePath(stateDir), nameOf(catalog, key, kind)));
  } catch (error) {
    onDamage(`the cache of ${catalog} is damaged (${reasonOf(error)}): reading the file again`);
    return undefined;
  }
}

/** Keeps the catalogs of the set that is served, and nothing else; no new ones if the disk has only room for read counts. */
export async function keepCatalogs(fs: Fs, stateDir: string, keys: CacheKeys): Promise<void> {
  const dir = cachePath(stateDir);
  const names = catalogNames.flatMap(catalog => {
    const key = keys[catalog];
    return key === undefined ? [] : kinds.map(kind => nameOf(catalog, key, kind));
  });
  await deleteOthers(fs, dir, names);
  const missing = names.filter(name => unwritten.has(name));
  const parts = missing.flatMap(name => unwritten.get(name) ?? []);
  const bytes = parts.reduce((sum, { length }) => sum + length, 0);
  if (missing.length === 0 || !(await hasRoom(fs, stateDir, bytes))) return;
  await fs.mkdir(dir, { recursive: true });
  for (const name of missing) {
    await writeParts(fs, join(dir, name), unwritten.get(name) ?? []);
    unwritten.delete(name);
  }
}

function nameOf(catalog: CatalogName, key: string, kind: Kind): string {
  return `${catalog}-${key}.${kind}`;
}

const OWN_FILE = /^[a-z_]+-[0-9a-f]{64}\.(rows|tables)(\.tmp)?$/;

async function deleteOthers(fs: Fs, dir: string, names: readonly string[]): Promise<void> {
  const found = (await fs.readdir(dir).catch(unlessMissing)) ?? [];
  const others = found.filter(name => OWN_FILE.test(name) && !names.includes(name));
  for (const name of others) await fs.unlink(join(dir, name)).catch(unlessMissing);
}
