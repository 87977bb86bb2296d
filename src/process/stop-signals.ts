/** Signals within this time count as one request, in milliseconds. */
const REPEAT_MS = 1000;

/**
 * Calls `stop` on the first signal, and `endDrain` on each one that comes more than a second later. One request to stop can
 * cause several signals, since npm forwards to its child what the terminal or supervisor sends to the whole process group.
 * Returns a function that removes the listeners.
 */
export function onStopSignal(
  signals: readonly NodeJS.Signals[],
  stop: (signal: NodeJS.Signals) => void,
  endDrain: () => void,
): () => void {
  let first: number | undefined;
  const listener = (signal: NodeJS.Signals) => {
    const now = performance.now();
    if (first === undefined) stop(signal);
    else if (now - first > REPEAT_MS) endDrain();
    first ??= now;
  };
  for (const signal of signals) process.on(signal, listener);
  return () => {
    for (const signal of signals) process.off(signal, listener);
  };
}
