import type { Timing } from './parts/contender.ts';

/** How large a catalog is. */
export interface Size {
  news: number;
  prices: number;
}

/** For people: `100,000 prices, 10,000 news`. */
export function formatSize({ news, prices }: Size): string {
  return `${prices.toLocaleString('en')} prices, ${news.toLocaleString('en')} news`;
}

/** How much is measured. */
export interface Plan extends Timing {
  /** How many news, and as many prices, the catalogs have that are asked. */
  sizes: number[];
  /** The catalogs of the parts that are about loading. */
  large: Size;
  metricsRounds: number;
  searchRounds: number;
  starts: number;
  largeStarts: number;
  /** How long after its start the memory of a process is looked at. V8 tidies up when nothing happens for ten seconds. */
  memoryAfterMs: number;
  /** How long requests come while the catalogs lie still, and how long while they change. */
  reloadMs: number;
  reloads: number;
}

export const full: Plan = {
  sizes: [1000, 10_000, 100_000],
  prepareMs: 3000,
  warmUpMs: 2000,
  rounds: 11,
  roundMs: 200,
  large: { news: 10_000, prices: 100_000 },
  metricsRounds: 300,
  searchRounds: 15,
  starts: 15,
  largeStarts: 5,
  memoryAfterMs: 25_000,
  reloadMs: 32_000,
  reloads: 3,
};

/** Ends within a minute. */
export const quick: Plan = {
  sizes: [1000],
  prepareMs: 100,
  warmUpMs: 300,
  rounds: 2,
  roundMs: 50,
  large: { news: 1000, prices: 10_000 },
  metricsRounds: 30,
  searchRounds: 3,
  starts: 3,
  largeStarts: 1,
  memoryAfterMs: 300,
  reloadMs: 3000,
  reloads: 1,
};
