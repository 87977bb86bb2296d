import assert from 'node:assert/strict';
import { test } from 'node:test';
import { shopWith } from '../support/catalogs.ts';
import { sendRandomRequests } from '../support/http/random-requests.ts';
import { startService } from '../support/service.ts';

test('random requests, half of them malformed, get the envelope, and never an internal error', async t => {
  const { listen } = await startService(t, shopWith({ 'launch.png': 'an image' }));
  const outcomes = await sendRandomRequests(await listen(), 2000);
  t.diagnostic(JSON.stringify(Object.fromEntries([...outcomes].sort(([, a], [, b]) => b - a))));
  for (const outcome of ['ok', 'BAD_REQUEST', 'INVALID_PARAMETER', 'ROUTE_NOT_FOUND', 'METHOD_NOT_ALLOWED']) {
    assert.ok((outcomes.get(outcome) ?? 0) > 20, outcome);
  }
});
