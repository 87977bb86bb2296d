import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { between, seededRandom, shuffled } from '../../scripts/bench/catalog.ts';
import { type Change, unservedColumns } from '../../src/contract/changes.ts';
import {
  type CatalogName,
  type CellType,
  catalogNames,
  columnNamesOf,
  columnsOf,
  durationUnits,
} from '../../src/contract/columns.ts';
import { countChanges, fromLines, publicReport, summaryOf, toLines } from '../../src/set/compare/changes.ts';
import {
  type AnyRow,
  differencesOf,
  rowKey,
  type SetContent,
  type Value,
  withFields,
} from '../../src/set/compare/differences.ts';
import { compareSets } from '../../src/set/compare-sets.ts';
import { rounds } from '../support/skipping.ts';

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
console.log(`SEED=${seed}`);
const random = seededRandom(seed);
const ROUNDS = rounds(500, 150);

/** The instant that separates news items that are out from those to come. */
const NOW = 1_800_000_000;

const LONG = 'y'.repeat(250);
const texts = ['', 'a', 'Small & "quick"', '香港\n', '\ud800', 'x'.repeat(199), LONG, `${LONG}z`];
texts.push(`${'é'.repeat(199)}😀😀`);
const [numbers, times] = [
  [1, 2, 3],
  [NOW, NOW + 1],
];
const values: Partial<Record<CellType, readonly Value[]>> = {
  ...{ id: numbers, count: numbers, reads: numbers, size: numbers, price: [0.5, 1.5, 2.5] },
  ...{ time: times, timeOrZero: times, flag: [true, false, false], unit: durationUnits, contentFormat: [] },
};

const pick = (items: readonly Value[]) => items[between(random, 0, items.length - 1)];

/** A row under one of a few ids, so that two sets have many in common; a column that may be missing is so now and then. */
function drawRow(catalog: CatalogName, id: number): AnyRow {
  const cells = columnsOf(catalog).map(({ name, schema, required }) => {
    const isMissing = !required && random() < 0.5;
    return [name, isMissing ? schema.default : pick(values[schema.cellType ?? 'text'] ?? texts)];
  });
  const key = { product_id: 1 + (id % 3), rel_id: 1 + (id % 3), duration_id: 1 + (id % 2) };
  // Two rows have each combination, with other dates.
  const valid_from = pick(id > 6 ? [NOW - 5, NOW + 1] : [undefined, NOW]);
  const fixed = catalog === 'prices' ? { ...key, valid_from, id: between(random, 1, 2) * 100 + id } : { id };
  const extra = pick([undefined, '{"n":"a"}', '{"m":[1],"n":"b"}']);
  return { ...Object.fromEntries(cells), ...fixed, extra };
}

/** The rows of each catalog; undefined for one that is absent. */
type Rows = Partial<Record<CatalogName, readonly AnyRow[] | undefined>>;

const eachCatalog = <Result>(map: (catalog: CatalogName) => Result) =>
  Object.fromEntries(catalogNames.map(name => [name, map(name)])) as Record<CatalogName, Result>;

/** A set of up to 12 rows a catalog, in random order, some as in another set; each catalog is absent, or that one, now and then. */
const drawRows = (other?: Rows): Rows =>
  eachCatalog(name => {
    const lot = random();
    if (lot < 0.2) return lot < 0.1 ? undefined : other?.[name];
    const ids = Array.from({ length: 12 }, (_, index) => index + 1).filter(() => random() < 0.6);
    return shuffled(ids, random).map(id => {
      const same = other?.[name]?.find(row => row.id % 100 === id);
      return same && random() < 0.7 ? { ...same } : drawRow(name, id);
    });
  });

/** A set with these rows, whose files have these columns. */
const setOf = (rows: Rows, columns: Partial<Record<CatalogName, readonly string[]>> = {}): SetContent =>
  eachCatalog(name => {
    const list = rows[name];
    return list && { rows: list, columns: columns[name] ?? ['id'] };
  });

/** What differs between two sets; catalogs with the same rows have the same files. */
function differences(one: Rows, other: Rows) {
  const columns = eachCatalog(columnNamesOf);
  const [before, after] = [setOf(one, columns), setOf(other, columns)];
  const changed = catalogNames.filter(name => one[name] !== other[name]);
  const former = new Map(changed.map(name => [name, before[name]]));
  const { table } = compareSets(former, after, { from: 'a', to: 'b' }, undefined, NOW);
  return { found: differencesOf(former, after, NOW), table };
}

/** The rows after the changes of a report, sorted by what identifies them. */
function applyChanges(rows: Rows, changes: readonly Change[]): Rows {
  return eachCatalog(catalog => {
    const byKey = new Map(rows[catalog]?.map(row => [rowKey(catalog, row), withFields(row)]));
    for (const { change, key, columns } of changes.filter(change => change.catalog === catalog)) {
      const date = columns.find(({ column }) => column === 'valid_from');
      const from = change === 'changed' && date ? date.from : key.valid_from;
      const name = key.id ?? `${key.product_id} ${key.rel_id} ${key.duration_id}${from ? ` ${from}` : ''}`;
      const row = byKey.get(name);
      byKey.delete(name);
      assert.equal(change === 'added', row === undefined, `${change} ${catalog} ${name}`);
      const cells = Object.fromEntries(columns.map(({ column, to }) => [column, to ?? undefined]));
      const next = { ...row, ...cells } as AnyRow;
      if (change !== 'removed') byKey.set(key.id ?? rowKey(catalog, { ...next, ...key }), next);
    }
    return sorted(catalog, [...byKey.values()]);
  });
}

/** In the order of what identifies them, with a column for each own field, and without undefined values, as JSON has none. */
function sorted(catalog: CatalogName, rows: readonly AnyRow[] = []): AnyRow[] {
  const byKey = rows.map(row => [String(rowKey(catalog, row)), withFields(row)] as const);
  const inOrder = byKey.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, row]) => row);
  return JSON.parse(JSON.stringify(inOrder));
}

/** The columns that visitors see of the rows that are served and out, with texts cut off. */
function visible(rows: Rows): Rows {
  const isHidden = (catalog: CatalogName, id: Value) =>
    rows[catalog]?.some(row => row.id === id && row.hidden) === true;
  const latest = (rel: Value, duration: Value) => {
    const of = rows.prices?.filter(
      row => row.rel_type === 1 && row.rel_id === rel && row.duration_id === duration,
    );
    return Math.max(...(of ?? []).map(row => Number(row.valid_from ?? 0)).filter(date => date <= NOW));
  };
  const isSeen: Partial<Record<CatalogName, (row: AnyRow) => boolean>> = {
    configurations: ({ product_id }) => !isHidden('products', product_id),
    prices: ({ rel_type, product_id, rel_id, duration_id, valid_from = 0 }) =>
      rel_type === 1 &&
      latest(rel_id, duration_id) === valid_from &&
      !isHidden('products', product_id) &&
      !isHidden('configurations', rel_id) &&
      !isHidden('durations', duration_id),
    news: ({ publish_time, unpublish_time = Infinity }) =>
      Number(publish_time) <= NOW && NOW < Number(unpublish_time),
  };
  const cut = (value: Value) =>
    typeof value === 'string' && value.length > 200
      ? `${value.slice(0, 200).replace(/[\ud800-\udbff]$/, '')}…`
      : value;
  const served = (row: AnyRow) =>
    Object.fromEntries(
      Object.entries(row).flatMap(([column, value]) =>
        unservedColumns.includes(column) ? [] : [[column, cut(value)]],
      ),
    ) as AnyRow;
  return eachCatalog(name =>
    sorted(name, rows[name]?.filter(row => !row.hidden && (isSeen[name]?.(row) ?? true)).map(served)),
  );
}

const about = { from: 'a', to: 'b', time: null };

test('the report of two random sets, applied to the first, gives the second', () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const one = drawRows();
    const other = drawRows(one);
    const what = `SEED=${seed} round ${round}`;
    const { found, table } = differences(one, other);
    const changes: Change[] = [];
    for (const difference of found) countChanges(difference, 'editors', change => changes.push(change));
    const whole = eachCatalog(name => sorted(name, other[name]));
    assert.deepEqual(applyChanges(one, changes), whole, what);
    // The public report does the same with what visitors see, and has nothing else; also once it was kept as lines.
    assert.deepEqual(fromLines(toLines(table)), table);
    const seen: Change[] = table.changes.map(change => JSON.parse(change));
    assert.deepEqual(applyChanges(visible(one), seen), visible(other), what);
    for (const { change, columns } of seen) if (change === 'removed') assert.deepEqual(columns, [], what);
  }
});

const price = { id: 1, product_id: 1, rel_id: 1, duration_id: 1, price: 10, rel_type: 1 };

test('of a huge change, the report lists the first 100,000 rows or 32 Mi characters, and counts all', () => {
  for (const text of ['A', LONG]) {
    const products = Array.from({ length: 100_001 }, (_, id) => ({ id, name: text, description: text }));
    const { head, changes } = publicReport(differences({}, { products }).found, about);
    assert.equal(JSON.parse(head).catalogs[0].added, 100_001);
    if (text === 'A') assert.equal(changes.length, 100_000);
    else assert.equal(Math.round(changes.join('').length / 10_000), Math.round(2 ** 25 / 10_000));
  }
});
const small = { id: 1, cpu: 1, hidden: false };
const [second, third] = [
  { ...small, id: 2 },
  { ...small, id: 3 },
];
const hidden = { hidden: true };

const summaries: [summary: string, before: SetContent, after: SetContent][] = [
  ['1 price renumbered', setOf({ prices: [price] }), setOf({ prices: [{ ...price, id: 7 }] })],
  [
    '1 configuration shown, 2 configurations hidden',
    setOf({ configurations: [small, second, { ...third, ...hidden }] }),
    setOf({ configurations: [{ ...small, ...hidden, cpu: 2 }, { ...second, ...hidden }, third] }),
  ],
  [
    'catalog products new, column order of configurations new, catalog news_types gone',
    setOf({ configurations: [], news_types: [] }),
    setOf({ products: [], configurations: [] }, { configurations: ['id', 'order'] }),
  ],
];

test('a summary counts what happens to rows and files', () => {
  for (const [summary, one, other] of summaries) {
    const before = new Map(catalogNames.map(name => [name, one[name]]));
    assert.equal(summaryOf(differencesOf(before, other, NOW)), summary);
  }
});
