import { between, type Random } from './random.ts';

/** Their ids are 1, 2, … */
const durations = [
  { name: '1 month', num: 1, unit: 'month', months: 1 },
  { name: '3 months', num: 3, unit: 'month', months: 3 },
  { name: '6 months', num: 6, unit: 'month', months: 6 },
  { name: '1 year', num: 1, unit: 'year', months: 12 },
  { name: '3 years', num: 3, unit: 'year', months: 36 },
];
const CONFIGURATIONS_PER_PRODUCT = 20;

/** The combination that a price has, by its id from 1. */
export function combinationOf(priceId: number) {
  const rel_id = Math.ceil(priceId / durations.length);
  const duration_id = ((priceId - 1) % durations.length) + 1;
  return { product_id: Math.ceil(rel_id / CONFIGURATIONS_PER_PRODUCT), rel_id, duration_id };
}

/** How many configurations and products have so many prices. */
export function countsFor(prices: number) {
  const { rel_id: configurations, product_id: products } = combinationOf(prices);
  return { configurations, products };
}

export function durationRows(): object[] {
  return durations.map(({ name, num, unit }, index) => ({ id: index + 1, name, num, unit }));
}

export function* productRows(prices: number): Generator<object> {
  const { products } = countsFor(prices);
  for (let id = 1; id <= products; id += 1) {
    yield { id, name: `Cloud Server ${id}`, description: `Virtual machines of series ${id}` };
  }
}

/** The configurations of each product, from small to large. */
export function* configurationRows(prices: number): Generator<object> {
  const { configurations } = countsFor(prices);
  for (let id = 1; id <= configurations; id += 1) {
    const step = (id - 1) % CONFIGURATIONS_PER_PRODUCT;
    const product_id = Math.ceil(id / CONFIGURATIONS_PER_PRODUCT);
    yield { id, product_id, name: `S${step + 1}`, cpu: step + 1, memory: 2048 * (step + 1), order: step };
  }
}

/** Larger configurations cost more; longer durations cost less a month. */
export function* priceRows(prices: number, random: Random): Generator<object> {
  for (let id = 1; id <= prices; id += 1) {
    const combination = combinationOf(id);
    const { months = 1 } = durations[combination.duration_id - 1] ?? {};
    const size = ((combination.rel_id - 1) % CONFIGURATIONS_PER_PRODUCT) + 1;
    const cents = size * months * (between(random, 900, 1000) - 5 * months);
    yield { id, ...combination, price: (cents / 100).toFixed(2) };
  }
}
