/** What the code did, in numbers that are the same on every machine. */
interface Work {
  /** How often JSON was made of a value. */
  stringified: number;
  /** How many bytes were copied into other memory, by `set`. */
  copied: number;
  /** How often a string was looked for in another. */
  verified: number;
}

/** Counts the work of a function until it has come to its result. */
export async function countWork<Result>(
  run: () => Result | Promise<Result>,
): Promise<Work & { result: Result }> {
  const { stringify } = JSON;
  const { set } = Uint8Array.prototype;
  const { includes } = String.prototype;
  const work: Work = { stringified: 0, copied: 0, verified: 0 };
  JSON.stringify = (value: unknown) => {
    work.stringified += 1;
    return stringify(value);
  };
  Uint8Array.prototype.set = function (source, offset) {
    work.copied += source.length;
    set.call(this, source, offset);
  };
  String.prototype.includes = function (...args) {
    work.verified += 1;
    return includes.apply(this, args);
  };
  try {
    const result = await run();
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
