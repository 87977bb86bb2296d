import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { between, seededRandom, shuffled } from '../../scripts/bench/catalog/random.ts';
import { type Change, unservedColumns } from '../../src/contract/changes.ts';
import {
  type CatalogName,
  catalogNames,
  columnsOf,
  durationUnits,
  type News,
} from '../../src/contract/columns.ts';
import {
  type ChangeTable,
  countChanges,
  fromLines,
  linesOf,
  publicReport as reportOf,
} from '../../src/set/compare/changes.ts';
import {
  type AnyRow,
  type CatalogContent,
  differencesOf,
  type FormerSet,
  rowKey,
  type SetContent,
} from '../../src/set/compare/differences.ts';
import { summaryOf } from '../../src/set/compare/lines.ts';
import { type CatalogRows, sortRows } from '../../src/snapshot/sort.ts';
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

const pick = <Item>(items: readonly Item[]) => items[between(random, 0, items.length - 1)] as Item;

/** The rows of a catalog under random ids out of a few, so that two sets have many in common. */
const draw: Record<CatalogName, (id: number) => AnyRow> = {
  products: id => ({ id, name: pick(texts), description: pick(texts) }),
  configurations: id => ({
    id,
    product_id: between(random, 1, 3),
    name: pick(texts),
    cpu: between(random, 1, 4) / 2,
    memory: 512,
    order: between(random, 0, 2),
    hidden: random() < 0.3,
  }),
  durations: id => ({
    id,
    name: 'month',
    num: between(random, 1, 3),
    unit: pick(durationUnits),
  }),
  prices: id => ({
    id: between(random, 1, 2) * 100 + id,
    product_id: 1 + (id % 3),
    rel_id: 1 + (id % 5),
    duration_id: 1 + (id % 2),
    price: between(random, 0, 3) + 0.5,
    rel_type: random() < 0.8 ? 1 : between(random, 0, 2),
  }),
  news_types: id => ({ id, name: pick(texts) }),
  news: id => ({
    id,
    type_id: random() < 0.5 ? between(random, 1, 2) : undefined,
    title: pick(texts),
    content: pick(texts),
    keywords: pick(texts),
    img: '',
    read: between(random, 0, 2),
    create_time: between(random, 1, 3),
    update_time: 0,
    publish_time: random() < 0.3 ? NOW + between(random, 0, 1) : 0,
    unpublish_time: random() < 0.3 ? NOW + between(random, 0, 1) : undefined,
    hidden: random() < 0.3,
  }),
};

/** A set of up to 12 rows a catalog, in random order; each catalog is absent now and then. */
function drawRows(): CatalogRows {
  const rowsOf = (name: CatalogName) => {
    if (random() < 0.1) return undefined;
    const ids = Array.from({ length: 12 }, (_, index) => index + 1).filter(() => random() < 0.6);
    return shuffled(ids, random).map(id => draw[name](id));
  };
  // The rows are drawn for their catalogs.
  return Object.fromEntries(catalogNames.map(name => [name, rowsOf(name)])) as unknown as CatalogRows;
}

/** The rows of each catalog. */
type Rows = { [Name in CatalogName]?: readonly AnyRow[] | undefined };

/** The rows after the changes of a report, sorted by what identifies them. */
function applyChanges(rows: Rows, changes: readonly Change[]): Rows {
  return Object.fromEntries(
    catalogNames.map(catalog => [catalog, applyTo(catalog, rows[catalog] ?? [], changes)]),
  );
}

function applyTo(catalog: CatalogName, rows: readonly AnyRow[], changes: readonly Change[]): AnyRow[] {
  const byKey = new Map(rows.map(row => [rowKey(catalog, row), row]));
  for (const { catalog: of, change, key, columns } of changes) {
    if (of !== catalog) continue;
    const name = key.id ?? `${key.product_id} ${key.rel_id} ${key.duration_id}`;
    const row = byKey.get(name);
    if ((change === 'added') !== (row === undefined)) throw new Error(`${change} ${catalog} ${name}`);
    if (change === 'removed') byKey.delete(name);
    else byKey.set(name, withColumns(row, columns));
  }
  return sorted(catalog, [...byKey.values()]);
}

function withColumns(row: AnyRow | undefined, columns: Change['columns']): AnyRow {
  const values = columns.map(({ column, to }) => [column, to ?? undefined]);
  return { ...row, ...Object.fromEntries(values) };
}

function sorted(catalog: CatalogName, rows: readonly AnyRow[]): AnyRow[] {
  return rows.toSorted((one, other) =>
    String(rowKey(catalog, one)) < String(rowKey(catalog, other)) ? -1 : 1,
  );
}

/** A set whose files have all columns. */
function contentOf(rows: CatalogRows): SetContent {
  const contents = catalogNames.map(name => [name, content(name, rows)]);
  return Object.fromEntries(contents);
}

function content(name: CatalogName, rows: CatalogRows): CatalogContent | undefined {
  const list = rows[name];
  return list && { rows: list, columns: columnsOf(name).map(column => column.name) };
}

/** What is known of a set when another one replaces it; without catalogs that are equal, as those with equal files. */
function formerOf(rows: CatalogRows, next: CatalogRows): FormerSet {
  const changed = catalogNames.filter(name => rows[name] !== next[name]);
  return new Map(changed.map(name => [name, content(name, rows)]));
}

/** Two random sets that share the rows of some catalogs, and most rows of others. */
function drawPair(): [CatalogRows, CatalogRows] {
  const [one, other] = [drawRows(), drawRows()];
  const shared = catalogNames.filter(() => random() < 0.2);
  const edited = catalogNames.filter(() => random() < 0.4);
  const parts = edited.map(name => [name, withoutSome<{ id: number }>(one[name])]);
  const same = shared.map(name => [name, one[name]]);
  return [
    { ...one, ...Object.fromEntries(edited.map(name => [name, withoutSome<{ id: number }>(one[name])])) },
    { ...other, ...Object.fromEntries([...parts, ...same]) },
  ];
}

/** Without some rows in a row, and with a copy in the place of another. */
function withoutSome<Row>(rows: readonly Row[] | undefined): Row[] | undefined {
  const at = () => Math.floor(random() * (rows?.length ?? 0));
  const copied = at();
  return rows
    ?.map((row, index) => (index === copied ? { ...row } : row))
    .toSpliced(at(), Math.floor(random() * 4));
}

function fullReport(one: CatalogRows, other: CatalogRows): Change[] {
  const changes: Change[] = [];
  for (const difference of differencesOf(formerOf(one, other), contentOf(other), NOW))
    countChanges(difference, 'editors', change => changes.push(change));
  return JSON.parse(JSON.stringify(changes));
}

function publicReport(one: CatalogRows, other: CatalogRows): ChangeTable {
  const differences = differencesOf(formerOf(one, other), contentOf(other), NOW);
  return reportOf(differences, { from: 'a', to: 'b', time: null });
}

function listOf({ changes }: ChangeTable): Change[] {
  return changes.map(change => JSON.parse(change));
}

/** The columns that visitors see of the rows that are served and out, with texts cut off. */
function visible(rows: CatalogRows): Rows {
  const { news, ...served } = sortRows(rows);
  const isPublished = ({ publish_time, unpublish_time = Number.POSITIVE_INFINITY }: News) =>
    publish_time <= NOW && NOW < unpublish_time;
  const seen: CatalogRows = { ...served, news: news?.filter(isPublished) };
  const cut = (value: unknown) =>
    typeof value === 'string' && value.length > 200
      ? `${value.slice(0, 200).replace(/[\ud800-\udbff]$/, '')}…`
      : value;
  return Object.fromEntries(
    catalogNames.map(name => {
      const list = (seen[name] ?? []).map(row =>
        Object.fromEntries(
          Object.entries(row)
            .filter(([column, value]) => !unservedColumns.includes(column) && value !== undefined)
            .map(([column, value]) => [column, cut(value)]),
        ),
      );
      return [name, sorted(name, list as never)];
    }),
  );
}

/** Without undefined values, which JSON does not have. */
function plain(rows: Rows): Rows {
  return JSON.parse(JSON.stringify(rows));
}

test('the report of two random sets, applied to the first, gives the second', () => {
  for (let round = 0; round < ROUNDS; round += 1) {
    const [one, other] = drawPair();
    const what = `SEED=${seed} round ${round}`;
    const expected = Object.fromEntries(catalogNames.map(name => [name, sorted(name, other[name] ?? [])]));
    assert.deepEqual(plain(applyChanges(one, fullReport(one, other))), plain(expected), what);
    // The public report does the same with what visitors see, and has nothing else.
    const changes = listOf(publicReport(one, other));
    assert.deepEqual(plain(applyChanges(visible(one), changes)), plain(visible(other)), what);
    for (const { change, columns } of changes) if (change === 'removed') assert.deepEqual(columns, [], what);
  }
});

test('a public report is the same after it was kept as lines', () => {
  for (const [one, other] of [drawPair(), drawPair(), [drawRows(), drawRows()] as const]) {
    const table = publicReport(one, other);
    assert.deepEqual(fromLines(linesOf(table)), table);
  }
});

/** A set without rows but these, and the columns of its files. */
function setOf(rows: Partial<CatalogRows>, columns: Partial<Record<CatalogName, string[]>> = {}): SetContent {
  const contents = catalogNames.map(name => {
    const list = rows[name];
    return [name, list && { rows: list, columns: columns[name] ?? ['id'] }];
  });
  return Object.fromEntries(contents);
}

const price = { id: 1, product_id: 1, rel_id: 1, duration_id: 1, price: 10, rel_type: 1 };
const small = { id: 1, product_id: 1, name: 'Small', cpu: 1, memory: 512, order: 0, hidden: false };
const times = { create_time: 1, update_time: 0, publish_time: 0 };
const item = { id: 1, title: 'Open', content: '', keywords: '', img: '', read: 0, ...times, hidden: false };
const [second, third] = [
  { ...small, id: 2 },
  { ...small, id: 3 },
];
const hidden = { hidden: true };

const summaries: [summary: string, before: SetContent, after: SetContent][] = [
  ['nothing changed', setOf({ news: [item] }), setOf({ news: [{ ...item }] })],
  ['1 price changed', setOf({ prices: [price] }), setOf({ prices: [{ ...price, id: 7, price: 11 }] })],
  ['1 price renumbered', setOf({ prices: [price] }), setOf({ prices: [{ ...price, id: 7 }] })],
  [
    '1 configuration shown, 2 configurations hidden',
    setOf({ configurations: [small, second, { ...third, ...hidden }] }),
    setOf({ configurations: [{ ...small, ...hidden, cpu: 2 }, { ...second, ...hidden }, third] }),
  ],
  [
    '1 price removed, 1 news item added, 1 news item removed, column hidden of configurations gone',
    setOf({ configurations: [], prices: [price], news: [item] }, { configurations: ['id', 'hidden'] }),
    setOf({ configurations: [], prices: [], news: [{ ...item, id: 2 }] }),
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
