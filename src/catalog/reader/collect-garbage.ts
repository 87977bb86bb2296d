import { setImmediate as yieldToEventLoop } from 'node:timers/promises';

/** A collection takes longer than it is worth if it cannot free as much as this. */
const LARGE_BYTES = 2 ** 27;

/** What was in memory after the last collection. */
let leftOver = 0;

/**
 * Frees what the last step left behind; V8 would first let the heap grow. The second collection returns to the system
 * what the first one freed. Does nothing if little was added since the last time.
 */
export async function collectGarbage(): Promise<void> {
  if (bytesInMemory() - leftOver < LARGE_BYTES) return;
  await yieldToEventLoop();
  globalThis.gc?.();
  await yieldToEventLoop();
  globalThis.gc?.();
  leftOver = bytesInMemory();
}

function bytesInMemory(): number {
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}
