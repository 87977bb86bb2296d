import type { Change } from '../contract/changes.ts';
import type { Configuration } from '../contract/columns.ts';
import type { MatrixDuration, MatrixPrice, MatrixRow, PriceMatrix } from '../contract/page.ts';
import type { PriceMatrixQuery } from '../contract/queries.ts';
import { fold, termsOf } from '../snapshot/fold.ts';
import { memoizePerSnapshot, type Snapshot } from '../snapshot/snapshot.ts';
import { durationRank } from '../snapshot/sort.ts';
import { changesWith } from './changes.ts';
import { pageOf } from './paging.ts';

/** Names searched between two yields, */
const NAMES_PER_STEP = 500;
/** and rows of the matrix made: about a millisecond of work. */
const ROWS_PER_STEP = 10;

/**
 * A page of the configurations of a product, by `order`, then id, with their prices and what the last change did to them.
 * Empty for an unknown product. Yields while it works.
 */
export function* priceMatrix(
  snapshot: Snapshot,
  { product_id, keyword, ...paging }: PriceMatrixQuery,
): Generator<undefined, PriceMatrix> {
  const durations = yield* durationsOf(snapshot, product_id);
  const all = snapshot.configurationsOf.get(product_id) ?? [];
  const found = keyword === undefined ? all : yield* named(all, keyword);
  const page = pageOf(found, paging);
  const list: MatrixRow[] = [];
  for (const configuration of page.list) {
    list.push(matrixRow(snapshot, configuration, durations));
    if (list.length % ROWS_PER_STEP === 0) yield;
  }
  return { list, pagination: page.pagination, durations: [...durations] };
}

/** The configurations whose names contain every term of a keyword, folded as news are for searching. */
function* named(
  configurations: readonly Configuration[],
  keyword: string,
): Generator<undefined, Configuration[]> {
  const terms = termsOf(keyword);
  const found: Configuration[] = [];
  for (const [index, configuration] of configurations.entries()) {
    const name = fold(configuration.name);
    if (terms.every(term => name.includes(term))) found.push(configuration);
    if (index % NAMES_PER_STEP === NAMES_PER_STEP - 1) yield;
  }
  return found;
}

function matrixRow(
  { prices, changes }: Snapshot,
  { id, product_id, name, cpu, memory }: Configuration,
  durations: readonly MatrixDuration[],
): MatrixRow {
  const rowOf = new Map(Array.from(prices.rowsOf(id), row => [prices.duration_id[row], row]));
  const changeOf = new Map<number | undefined, Change>();
  for (const change of changesWith(changes, 'prices', [product_id, id]))
    changeOf.set(change.key.duration_id, change);
  const [own] = changesWith(changes, 'configurations', [id]);
  const cells = durations.map(({ duration_id }) => {
    const row = rowOf.get(duration_id);
    return matrixPrice(row === undefined ? undefined : prices.price[row], changeOf.get(duration_id));
  });
  return {
    ...{ id, name, cpu, memory, prices: cells },
    ...(own && own.change !== 'removed' && { change: own.change }),
  };
}

function matrixPrice(price: number | undefined, change: Change | undefined): MatrixPrice {
  if (price === undefined) return change?.change === 'removed' ? { price: null } : null;
  const { from, percent } = change?.columns.find(({ column }) => column === 'price') ?? {};
  if (from !== null && typeof from !== 'number') return { price };
  return { price, was: from, ...(percent !== undefined && { percent }) };
}

/** Configurations or changes visited between two yields: at most a few milliseconds of work. */
const STEP = 500;

const known = memoizePerSnapshot(() => new Map<number, readonly MatrixDuration[]>());

/**
 * The durations for which the configurations of a product have prices, or had some before the last change; by unit, num
 * and id. Computed once for a product of a snapshot. Yields while it does so.
 */
function* durationsOf(
  snapshot: Snapshot,
  product_id: number,
): Generator<undefined, readonly MatrixDuration[]> {
  const before = known(snapshot).get(product_id);
  if (before) return before;
  const { durations } = snapshot;
  const rank = durationRank(durations && [...durations.values()]);
  const ids = [...(yield* idsOf(snapshot, product_id))].sort((one, other) => rank(one) - rank(other));
  const list = ids.map(duration_id => {
    const duration = durations?.get(duration_id);
    if (!duration) return { duration_id };
    const { name, num, unit } = duration;
    return { duration_id, name, num, unit };
  });
  // The number of products bounds what is remembered.
  if (snapshot.products.has(product_id)) known(snapshot).set(product_id, list);
  return list;
}

function* idsOf(
  { configurations, configurationsOf, prices, changes }: Snapshot,
  product_id: number,
): Generator<undefined, Set<number>> {
  const ids = new Set<number>();
  for (const [index, { id }] of (configurationsOf.get(product_id) ?? []).entries()) {
    for (const row of prices.rowsOf(id)) ids.add(prices.duration_id[row] ?? 0);
    if (index % STEP === STEP - 1) yield;
  }
  let count = 0;
  for (const { change, key } of changesWith(changes, 'prices', [product_id])) {
    const { rel_id, duration_id } = key;
    const isOfProduct = rel_id !== undefined && configurations.get(rel_id)?.product_id === product_id;
    if (change === 'removed' && isOfProduct && duration_id !== undefined) ids.add(duration_id);
    count += 1;
    if (count % STEP === 0) yield;
  }
  return ids;
}
