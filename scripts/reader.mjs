// Entry of the reader process when the program runs from its sources. On Node 20 a child process does not inherit tsx,
// which takes half a second to start; an up-to-date build is the same code without that delay.
import { stopCoverage } from 'node:v8';
import { isStale } from './stale.mjs';

// Every test of the service starts a reader. Its code is covered in-process by the tests of src/reader, and in readers of
// the built program.
stopCoverage();

const stale = isStale();
if (stale) (await import('tsx/esm/api')).register();
const entry = stale ? '../src/reader/reader.ts' : '../dist/reader.js';
await import(new URL(entry, import.meta.url).href);
