import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { type CatalogName, catalogNames, columnsOf } from '../../contract/columns.ts';
import { type Fs, systemFs, unlessMissing, writeWhole } from '../../files/atomic-write.ts';
import { hasRoom } from '../../files/room.ts';
import { type FileDigest, isTextFile } from '../../formats/formats.ts';
import type { OnDamage } from '../../history/entries.ts';
import { type Reading, readingOf } from '../../history/entry.ts';
import { reasonOf } from '../../messages.ts';
import { packageVersion } from '../../package-version.ts';
import { sha256 } from '../../set/files.ts';

/** What is kept only to save time. It may be deleted at any time. */
function cachePath(stateDir: string): string {
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

/** In bytes. */
const HASH_LENGTH = 32;
const LENGTH_BYTES = 4;

/** Writes parts to a file, after their checksum. A power loss may damage it: the checksum does not match then. */
export async function writeParts(fs: Fs, path: string, parts: readonly Uint8Array[]): Promise<void> {
  const length = parts.reduce((sum, part) => sum + LENGTH_BYTES + part.length, HASH_LENGTH);
  const content = Buffer.alloc(length);
  let at = HASH_LENGTH;
  for (const part of parts) {
    at = content.writeUInt32LE(part.length, at);
    content.set(part, at);
    at += part.length;
  }
  content.set(checksumOf(path, content.subarray(HASH_LENGTH)));
  await writeWhole(fs, path, content, false);
}

/** Reads the parts of a file; undefined if it is missing. @throws Error if it is damaged. */
export async function readParts(fs: Fs, path: string): Promise<Buffer[] | undefined> {
  const content = await fs.readBytes(path).catch(unlessMissing);
  if (!content) return undefined;
  const rest = content.subarray(HASH_LENGTH);
  if (!checksumOf(path, rest).equals(content.subarray(0, HASH_LENGTH)))
    throw new Error('its checksum does not match');
  const parts: Buffer[] = [];
  for (let at = 0; at < rest.length; ) {
    const start = at + LENGTH_BYTES;
    at = start + rest.readUInt32LE(at);
    parts.push(rest.subarray(start, at));
  }
  return parts;
}

/** Also of the name, so that no file passes for another one. */
function checksumOf(path: string, content: Buffer): Buffer {
  return createHash('sha256').update(basename(path)).update(content).digest();
}

/** In bytes. There is no memory for what is made of larger files. */
const LARGE_FILE = 2 ** 24;

/** Identifies what is kept of each catalog; it has no key of a catalog of which nothing is kept. */
export type CacheKeys = Partial<Record<CatalogName, string>>;

/** A catalog file and its content. */
type Identified = FileDigest & { catalog: CatalogName };

/**
 * The key of a catalog of a set: of its file, and of those whose names may stand for ids in it. Undefined if nothing is kept
 * of it: then it has no file, or it is in a workbook, in Markdown files or in a large file.
 */
export function keyOf(
  catalog: CatalogName,
  files: readonly Identified[],
  reading: Reading,
): string | undefined {
  const contentsOf = (name: CatalogName) => files.filter(file => file.catalog === name);
  const [own, ...others] = contentsOf(catalog);
  if (!own || others.length > 0 || !isTextFile(own.file) || own.bytes > LARGE_FILE) return undefined;
  const references = columnsOf(catalog).flatMap(({ schema }) => schema.references ?? []);
  const contents = [catalog, ...references]
    .flatMap(contentsOf)
    .map(({ catalog, file, sha256 }) => [catalog, file, sha256]);
  return sha256(Buffer.from(JSON.stringify([writer(), readingOf(reading), contents])));
}

/** Another version of the program, or of V8, may write what this one cannot read. */
function writer(): readonly (string | number)[] {
  return [packageVersion(), programHash(), cachedDataVersionTag()];
}

let program: string | undefined;

/** A bundle has the hashes of the bundles that it imports in it. */
function programHash(): string {
  program ??= sha256(readFileSync(fileURLToPath(import.meta.url)));
  return program;
}
