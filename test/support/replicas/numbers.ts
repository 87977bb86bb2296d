import { setTimeout as delay } from 'node:timers/promises';

/** Waits for a time that is random, from none to so many milliseconds. */
export function aWhile(ms: number): Promise<void> {
  return delay(Math.random() * ms);
}

/** One of these, at random. */
export function pick<Item>(items: Item[]): Item {
  const item = items[Math.floor(Math.random() * items.length)];
  if (item === undefined) throw new Error('there is nothing to pick from');
  return item;
}

export function sum(numbers: Iterable<number>): number {
  return [...numbers].reduce((sum, number) => sum + number, 0);
}
