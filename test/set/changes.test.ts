import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { test } from 'node:test';
import { seededRandom } from '../../scripts/bench/catalog/random.ts';
import { type Change, unservedColumns } from '../../src/contract/changes.ts';
import { type CatalogName, catalogNames, columnsOf, type News } from '../../src/contract/columns.ts';
import {
  type ChangeTable,
  countChanges,
  fromLines,
  linesOf,
  publicReport as reportOf,
  wholeChange,
} from '../../src/set/compare/changes.ts';
import {
  type CatalogContent,
  differencesOf,
  type FormerSet,
  type SetContent,
} from '../../src/set/compare/differences.ts';
import { summaryOf } from '../../src/set/compare/lines.ts';
import { type CatalogRows, sortRows } from '../../src/snapshot/sort.ts';
import { applyChanges, type Rows, sorted } from '../support/catalog/apply-changes.ts';
import { drawRows, NOW } from '../support/catalog/random-sets.ts';
import { rounds } from '../support/skipping.ts';

const seed = Number(process.env.SEED ?? randomInt(2 ** 31));
console.log(`SEED=${seed}`);
const random = seededRandom(seed);
const ROUNDS = rounds(500, 150);

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
  const [one, other] = [drawRows(random), drawRows(random)];
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
    countChanges(difference, wholeChange, change => changes.push(change));
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
  for (const [one, other] of [drawPair(), drawPair(), [drawRows(random), drawRows(random)] as const]) {
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
