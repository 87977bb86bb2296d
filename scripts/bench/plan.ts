/** How much a run measures; times in milliseconds. */
export const full = {
  /** How many news items, and as many prices, the catalogs of the requests have. All servers can serve them. */
  size: 10_000,
  /** How long the bench records answers of Vitrine for each case. */
  prepareMs: 3000,
  warmUpMs: 2000,
  rounds: 11,
  roundMs: 200,
  /** The catalogs of the other parts. */
  large: { news: 10_000, prices: 100_000 },
  starts: 15,
  largeStarts: 5,
  /** How long a server is idle before it is measured: V8 collects garbage after ten idle seconds. */
  idleMs: 20_000,
};
export type Plan = typeof full;

export const quick: Plan = {
  ...{ size: 1000, prepareMs: 100, warmUpMs: 300, rounds: 2, roundMs: 50 },
  ...{ large: { news: 1000, prices: 10_000 }, starts: 3, largeStarts: 1, idleMs: 300 },
};
