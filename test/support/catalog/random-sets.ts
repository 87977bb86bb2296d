import { between, type Random, shuffled } from '../../../scripts/bench/catalog/random.ts';
import { type CatalogName, catalogNames, durationUnits } from '../../../src/contract/columns.ts';
import type { AnyRow } from '../../../src/set/compare/differences.ts';
import type { CatalogRows } from '../../../src/snapshot/sort.ts';

/** The instant that separates news items that are out from those to come. */
export const NOW = 1_800_000_000;

const texts = [
  '',
  'a',
  'Small & "quick"',
  '香港\n',
  '\ud800',
  'x'.repeat(199),
  'y'.repeat(250),
  `${'y'.repeat(250)}z`,
];
texts.push(`${'é'.repeat(199)}😀😀`);

function pick<Item>(items: readonly Item[], random: Random): Item {
  return items[between(random, 0, items.length - 1)] as Item;
}

/** The rows of a catalog under random ids out of a few, so that two sets have many in common. */
const draw: Record<CatalogName, (id: number, random: Random) => AnyRow> = {
  products: (id, random) => ({ id, name: pick(texts, random), description: pick(texts, random) }),
  configurations: (id, random) => ({
    id,
    product_id: between(random, 1, 3),
    name: pick(texts, random),
    cpu: between(random, 1, 4) / 2,
    memory: 512,
    order: between(random, 0, 2),
    hidden: random() < 0.3,
  }),
  durations: (id, random) => ({
    id,
    name: 'month',
    num: between(random, 1, 3),
    unit: pick(durationUnits, random),
  }),
  prices: (id, random) => ({
    id: between(random, 1, 2) * 100 + id,
    product_id: 1 + (id % 3),
    rel_id: 1 + (id % 5),
    duration_id: 1 + (id % 2),
    price: between(random, 0, 3) + 0.5,
    rel_type: random() < 0.8 ? 1 : between(random, 0, 2),
  }),
  news_types: (id, random) => ({ id, name: pick(texts, random) }),
  news: (id, random) => ({
    id,
    type_id: random() < 0.5 ? between(random, 1, 2) : undefined,
    title: pick(texts, random),
    content: pick(texts, random),
    keywords: pick(texts, random),
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
export function drawRows(random: Random): CatalogRows {
  const rowsOf = (name: CatalogName) => {
    if (random() < 0.1) return undefined;
    const ids = Array.from({ length: 12 }, (_, index) => index + 1).filter(() => random() < 0.6);
    return shuffled(ids, random).map(id => draw[name](id, random));
  };
  // The rows are drawn for their catalogs.
  return Object.fromEntries(catalogNames.map(name => [name, rowsOf(name)])) as unknown as CatalogRows;
}
