import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { test } from 'node:test';

/** Tests of the fast path, of routes that it never answers, and of services that have none. */
const excluded =
  /^(without-fast-path|fast-path|memory|work|cors|docs(-page)?|feed\w*(-\w+)?|health|hostile-content|images?(-files)?|limits|loop-lag|metrics|page|preview(-access|-token)?|random-requests|rate-limit|redirects|robots|static-file)\.test/;

// The others once more, in this process: `startService` sends every request through Fastify.
process.env.TEST_FAST_PATH = 'off';
const { startService } = await import('../support/service.ts');
for (const name of readdirSync(import.meta.dirname)) {
  if (name.endsWith('.test.ts') && !excluded.test(name)) await import(`./${name}`);
}

test('no request takes the fast path', async t => {
  const { ask, routedRequests } = await startService(t);
  await ask('/api/news');
  assert.equal(routedRequests(), 1);
});
