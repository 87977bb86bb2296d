import { once } from 'node:events';
import { parentPort } from 'node:worker_threads';
import type { CatalogRows } from './arrange.ts';
import { catalogNames } from './schemas.ts';
import {
  type CatalogSource,
  type ChangedSet,
  type Expectation,
  type ReadSet,
  readChangedSet,
  readSet,
  type SetReport,
} from './set.ts';
import type { Slice } from './snapshot.ts';

/** What the worker is asked to read, as often as one likes. */
export interface WorkerRequest {
  source: CatalogSource;
  /** Where the set is to take the place of another. */
  expected: Expectation | undefined;
}

/**
 * What the worker answers: how the reading came out. The rows follow in slices, and null at the end, each on being
 * asked for by a message of any kind.
 */
export type WorkerResult = Exclude<ChangedSet, ReadSet> | { outcome: 'read'; report: SetReport };

/** About how many characters a slice has: few enough to be taken over in about a millisecond. */
const SLICE_LENGTH = 50_000;

if (!parentPort) throw new Error('this module is the entry of a worker thread');
const port = parentPort;
for (;;) {
  const [request] = await once(port, 'message');
  await answer(request);
}

async function answer({ source, expected }: WorkerRequest): Promise<void> {
  const result = expected
    ? await readChangedSet(source, expected)
    : { outcome: 'read' as const, ...(await readSet(source)) };
  if (result.outcome !== 'read') return port.postMessage(result satisfies WorkerResult);
  const { report, rows } = result;
  port.postMessage({ outcome: 'read', report } satisfies WorkerResult);
  for (const slice of rows ? [...slicesOf(rows), null] : []) {
    await once(port, 'message');
    port.postMessage(slice);
  }
}

/** Every catalog that is there has at least one slice, be it an empty one. */
function* slicesOf(rows: CatalogRows): Generator<Slice> {
  for (const catalog of catalogNames) {
    const all: object[] | undefined = rows[catalog];
    if (!all) continue;
    let start = 0;
    let length = 0;
    for (const [index, row] of all.entries()) {
      length += lengthOf(row);
      if (length < SLICE_LENGTH) continue;
      yield { catalog, rows: all.slice(start, index + 1) } as Slice;
      start = index + 1;
      length = 0;
    }
    yield { catalog, rows: all.slice(start) } as Slice;
  }
}

/** About how many characters a row has: those of its texts, and some for each of its numbers. */
function lengthOf(row: object): number {
  return Object.values(row).reduce<number>(
    (sum, value) => sum + (typeof value === 'string' ? value.length : 10),
    0,
  );
}
