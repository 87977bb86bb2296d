import { type CatalogSource, readSet } from '../../../src/reader/read-set.ts';
import { memoryDirectory, systemDirectory } from '../../../src/set/directory.ts';
import { type Files, sourceIn } from '../catalogs.ts';

/** Reads the set of a folder. Its report lists each problem if `listAll`, or else groups equal ones. */
export function readSource(source: CatalogSource, listAll = false) {
  return readSet(systemDirectory(source), source, { listAll });
}

/** Reads a set in memory, without images. */
export function readFiles(files: Files, options?: Parameters<typeof sourceIn>[1]) {
  const contents = Object.entries(files).flatMap(([path, content]) =>
    content === null ? [] : [[path, bytesOf(content)] as const],
  );
  const directory = memoryDirectory('memory', new Map(contents), async () => new Set());
  return readSet(directory, sourceIn('memory', options));
}

function bytesOf(content: string | Buffer | object[]): Buffer {
  return Array.isArray(content) ? Buffer.from(JSON.stringify(content)) : Buffer.from(content);
}
