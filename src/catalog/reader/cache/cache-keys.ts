import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { cachedDataVersionTag } from 'node:v8';
import { type CatalogName, columnsOf } from '../../../contract/columns.ts';
import { type FileDigest, isTextFile } from '../../../formats/formats.ts';
import { type Reading, readingOf } from '../../../history/entry.ts';
import { packageVersion } from '../../../package-version.ts';
import { sha256 } from '../../../set/files.ts';

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
