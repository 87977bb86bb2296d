/** Returns a number from 0 up to 1 at each call. */
export type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function seededRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A whole number from `least` to `most`, both included. */
export function between(random: Random, least: number, most: number): number {
  return least + Math.floor(random() * (most - least + 1));
}

/** The items in random order. */
export function shuffled<Item>(items: Iterable<Item>, random: Random): Item[] {
  const drawn = [...items].map(item => ({ item, lot: random() }));
  return drawn.sort((one, other) => one.lot - other.lot).map(({ item }) => item);
}
