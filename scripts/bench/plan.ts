/** How much a run measures; times in milliseconds. */
export interface Plan {
  /** How many news items, and as many prices, the catalogs of the requests have. */
  sizes: number[];
  /** How long the bench records answers of Vitrine for each case. */
  prepareMs: number;
  warmUpMs: number;
  rounds: number;
  roundMs: number;
  /** The catalogs of the other parts. */
  large: { news: number; prices: number };
  starts: number;
  largeStarts: number;
  /** How long a server is idle before it is measured: V8 collects garbage after ten idle seconds. */
  idleMs: number;
}

export const full: Plan = {
  sizes: [1000, 10_000, 100_000],
  prepareMs: 3000,
  warmUpMs: 2000,
  rounds: 11,
  roundMs: 200,
  large: { news: 10_000, prices: 100_000 },
  starts: 15,
  largeStarts: 5,
  idleMs: 20_000,
};

/** Takes a few minutes. */
export const quick: Plan = {
  sizes: [1000],
  prepareMs: 100,
  warmUpMs: 300,
  rounds: 2,
  roundMs: 50,
  large: { news: 1000, prices: 10_000 },
  starts: 3,
  largeStarts: 1,
  idleMs: 300,
};

/** `100,000 prices, 10,000 news` */
export function formatSize({ news, prices }: Plan['large']): string {
  return `${prices.toLocaleString('en')} prices, ${news.toLocaleString('en')} news`;
}
