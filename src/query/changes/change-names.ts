import { type Change, shortened } from '../../contract/changes.ts';
import type { CatalogName } from '../../contract/columns.ts';
import type { ChangeTable } from '../../set/compare/changes.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { newsRecord } from '../rows/news-rows.ts';
import { rowNames } from '../rows/row-names.ts';

/** What comes before the values of a change, and takes the same time to read for values of any length. */
type ChangeHead = Pick<Change, 'catalog' | 'change' | 'key'>;

const decoder = new TextDecoder();
const COLUMNS = Buffer.from(',"columns":');
const COMMA = Buffer.from(',');

/**
 * The changes of a report from `first` to before `last` as JSON, in pieces, with the names that their keys stand for in a
 * snapshot as far as it has them.
 */
export function namedChanges(
  { json, itemOffsets }: ChangeTable,
  first: number,
  last: number,
  snapshot: Snapshot | undefined,
): Uint8Array[] {
  const pieces: Uint8Array[] = [];
  for (let index = first; index < last; index += 1) {
    // Without the comma after it.
    const change = json.subarray(itemOffsets[index], (itemOffsets[index + 1] ?? 0) - 1);
    const names = snapshot && namesOf(snapshot, headOf(change));
    if (index > first) pieces.push(COMMA);
    if (names) pieces.push(change.subarray(0, -1), Buffer.from(`,"names":${JSON.stringify(names)}}`));
    else pieces.push(change);
  }
  return pieces;
}

function headOf(change: Uint8Array): ChangeHead {
  const end = Buffer.from(change.buffer, change.byteOffset, change.byteLength).indexOf(COLUMNS);
  return JSON.parse(`${decoder.decode(change.subarray(0, end))}}`);
}

/** Of a removed row only the names of others: whoever takes a news item off the site means it. */
function namesOf(snapshot: Snapshot, { catalog, change, key }: ChangeHead): Change['names'] {
  const names = key.id === undefined ? rowNames(snapshot, catalog)(key) : [];
  const name = change === 'removed' || key.id === undefined ? undefined : nameOf(snapshot, catalog, key.id);
  if (name !== undefined) names.push(['id', name]);
  if (names.length === 0) return undefined;
  return Object.fromEntries(names.map(([column, name]) => [column, shortened(name)]));
}

function nameOf(
  { products, configurations, durations, newsTypes, news }: Snapshot,
  catalog: CatalogName,
  id: number,
): string | undefined {
  if (catalog === 'news') {
    const row = news.rowOf.get(id);
    return row === undefined ? undefined : String(newsRecord(news, row).title);
  }
  const named: Partial<Record<CatalogName, ReadonlyMap<number, { name: string }> | undefined>> = {
    ...{ products, configurations, durations },
    news_types: newsTypes,
  };
  return named[catalog]?.get(id)?.name;
}
