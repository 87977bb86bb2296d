import { type CatalogSource, readSet } from '../../../src/reader/read-set.ts';
import { systemDirectory } from '../../../src/set/directory.ts';

/** Reads the set of a folder. Its report lists each problem if `listAll`, or else groups equal ones. */
export function readSource(source: CatalogSource, listAll = false) {
  return readSet(systemDirectory(source), source, { listAll });
}
