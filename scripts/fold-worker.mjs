// Entry of the thread that folds a state file when the program runs from its sources; see reader.mjs.
import { isStale } from './stale.mjs';

const stale = isStale();
if (stale) (await import('tsx/esm/api')).register();
const entry = stale ? '../src/reads/fold-worker.ts' : '../dist/fold-worker.js';
await import(new URL(entry, import.meta.url).href);
