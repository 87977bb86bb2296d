import { AsyncLocalStorage } from 'node:async_hooks';

/**
 * Counts what a function does until it has come to its result, in numbers that are the same on every machine: how often
 * JSON is made of a value, how many bytes `set` copies, and how often a string is looked for in another. What the service
 * does meanwhile of its own accord, such as writing its history, does not count.
 */
export async function countWork<Result>(run: () => Result | Promise<Result>) {
  const { stringify } = JSON;
  const { set } = Uint8Array.prototype;
  const { includes } = String.prototype;
  const work = { stringified: 0, copied: 0, verified: 0 };
  const counting = new AsyncLocalStorage<typeof work>();
  const add = (what: keyof typeof work, number: number) => {
    const counts = counting.getStore();
    if (counts) counts[what] += number;
  };
  JSON.stringify = (value: unknown, _?: unknown, space?: string | number) => {
    add('stringified', 1);
    return stringify(value, null, space);
  };
  Uint8Array.prototype.set = function (source, offset) {
    add('copied', source.length);
    set.call(this, source, offset);
  };
  String.prototype.includes = function (...args) {
    add('verified', 1);
    return includes.apply(this, args);
  };
  try {
    const result = await counting.run(work, run);
    return { ...work, result };
  } finally {
    JSON.stringify = stringify;
    Uint8Array.prototype.set = set;
    String.prototype.includes = includes;
  }
}

/** How often the event loop goes round until a promise settles. */
export async function roundsDuring<Result>(promise: Promise<Result>) {
  let rounds = 0;
  let isOver = false;
  const goRound = () => {
    rounds += 1;
    if (!isOver) setImmediate(goRound);
  };
  goRound();
  const result = await promise.finally(() => (isOver = true));
  return { result, rounds };
}
