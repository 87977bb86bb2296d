// The loading worker of a process that runs from its sources. On Node 20 a thread does not inherit tsx, which takes
// half a second to start; where the build is up to date, it is the same and there at once.
import { isStale } from './stale.mjs';

const stale = isStale();
if (stale) (await import('tsx/esm/api')).register();
const entry = stale ? '../src/catalog/worker.ts' : '../dist/catalog/worker.js';
await import(new URL(entry, import.meta.url).href);
