// Entry of a thread that serves when the program runs from its sources; see reader.mjs.
import { isStale } from './stale.mjs';

const stale = isStale();
if (stale) (await import('tsx/esm/api')).register();
const entry = stale ? '../src/workers/thread.ts' : '../dist/worker.js';
await import(new URL(entry, import.meta.url).href);
