/** Numbers from 0 up to 1, as `Math.random`. */
export type Random = () => number;

/** The same numbers for the same seed (mulberry32). */
export function seeded(seed: number): Random {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** A generator of its own, so that what draws from it leaves the numbers of others as they are. */
export function fork(random: Random): Random {
  return seeded(Math.floor(random() * 2 ** 32));
}

/** One of these, at random. */
export function pick<Item>(items: readonly Item[], random: Random = Math.random): Item {
  const item = items[Math.floor(random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

/** Some of these, at random: one at least if there is one, and possibly all. */
export function pickSome<Item>(items: readonly Item[], random: Random): Item[] {
  return shuffle(items, random).slice(0, 1 + Math.floor(random() * items.length));
}

export function shuffle<Item>(items: readonly Item[], random: Random): Item[] {
  const drawn = items.map(item => ({ item, place: random() }));
  return drawn.sort((one, other) => one.place - other.place).map(({ item }) => item);
}
