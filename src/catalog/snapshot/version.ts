import { createHash } from 'node:crypto';
import { catalogNames } from '../../contract/columns.ts';
import type { CatalogRows } from './sort.ts';

/**
 * A short hash of all rows: the `Catalog-Version` of answers. Rows are hashed in the order of their ids, so equal rows
 * give the same version whatever the format and order of their files.
 */
export function versionOf(rows: CatalogRows): string {
  const hash = createHash('sha256');
  for (const name of catalogNames) {
    const sorted = rows[name]?.toSorted((a, b) => a.id - b.id);
    for (const part of jsonParts(name, sorted)) hash.update(part);
  }
  return hash.digest('hex').slice(0, 12);
}

/** The JSON of `[name, rows ?? null]` in parts, because the whole would take as much memory as the files. */
function* jsonParts(name: string, rows: readonly object[] | undefined): Generator<string> {
  yield `[${JSON.stringify(name)},${rows ? '[' : 'null'}`;
  for (const [index, row] of rows?.entries() ?? []) yield (index > 0 ? ',' : '') + JSON.stringify(row);
  yield rows ? ']]' : ']';
}
