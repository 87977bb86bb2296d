// The loading worker of a process that runs from its sources. On Node 20 a thread does not inherit tsx, which takes
// half a second to start; where the build is up to date, it is the same and there at once.
import { isStale } from './stale.mjs';

if (isStale()) {
  const { register } = await import('tsx/esm/api');
  register();
  await import('../src/catalog/worker.ts');
} else {
  await import('../dist/catalog/worker.js');
}
