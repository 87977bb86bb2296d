import { createHash } from 'node:crypto';
import { catalogNames } from '../../contract/columns.ts';
import { openBytes } from '../../set/compare/changes.ts';
import type { CatalogRows } from './sort.ts';

/**
 * A short hash of all rows: the `Catalog-Version` of answers. Rows are hashed in the order of their ids, so equal rows
 * give the same version whatever the format and order of their files. `newsJson` is the result of {@link newsJsonOf}, if it
 * is known.
 */
export function versionOf(rows: CatalogRows, newsJson?: Uint8Array): string {
  const hash = createHash('sha256');
  for (const name of catalogNames) {
    if (name === 'news' && newsJson) {
      hash.update(newsJson);
      continue;
    }
    for (const part of jsonParts(name, sortedById<{ id: number }>(rows[name]))) hash.update(part);
  }
  return hash.digest('hex').slice(0, 12);
}

/** What the version hashes of the news items. */
export function newsJsonOf({ news }: CatalogRows): Uint8Array {
  const json = openBytes();
  for (const part of jsonParts('news', sortedById(news))) json.add(part);
  return json.bytes();
}

/** Takes half of the time that rows one by one take. */
const ROWS_PER_PART = 100;

/** The JSON of `[name, rows ?? null]` in parts, because the whole would take as much memory as the files. */
function* jsonParts(name: string, rows: readonly object[] | undefined): Generator<string> {
  yield `[${JSON.stringify(name)},${rows ? '[' : 'null'}`;
  for (let start = 0; start < (rows?.length ?? 0); start += ROWS_PER_PART) {
    const part = rows?.slice(start, start + ROWS_PER_PART) ?? [];
    yield (start > 0 ? ',' : '') + JSON.stringify(part).slice(1, -1);
  }
  yield rows ? ']]' : ']';
}

function sortedById<R extends { id: number }>(rows: readonly R[] | undefined): R[] | undefined {
  return rows?.toSorted((a, b) => a.id - b.id);
}
