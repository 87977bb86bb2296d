import { parentPort, workerData } from 'node:worker_threads';
import { openThreadCounts } from '../../../src/reads/file/shared-counts.ts';

// A thread that raises the count of item 1 and says which counts it got.

const { memory, times } = workerData;
const counts = openThreadCounts(memory);
counts.learn([1]);
parentPort?.postMessage(Array.from({ length: times }, () => counts.raise(1, 10)));
