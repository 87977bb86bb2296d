import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { writeInto } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';

/** Asserts that a response is from one set; returns which. */
function setIn(text: string): string {
  const sets = new Set(text.match(/set \d/g));
  assert.equal(sets.size, 1, `a response from ${sets.size} sets: ${text}`);
  return [...sets].join();
}

test('under load, sets are loaded and refused, and every response comes from one set', async t => {
  const { app, dispatch, services, settings, save } = await startService(t, fixtureSet(1));
  const { status } = services.catalog;
  const sets = new Map<string, string>();
  let isDone = false;
  const ask = async (url: string) => {
    const { statusCode, headers, body } = await dispatch(url);
    assert.equal(statusCode, 200, body);
    const version = String(headers['catalog-version']);
    const served = setIn(body);
    assert.equal(sets.get(version) ?? served, served, 'one version names two sets');
    sets.set(version, served);
    return Number(served.split(' ')[1]);
  };
  const client = async () => {
    while (!isDone) {
      await turn();
      const digit = await ask('/api/news?limit=100');
      const product = `product_id=${digit * 1000 + 1}`;
      const { body } = await app.inject(`/api/recommend-config?${product}&include_durations=true`);
      // There is no such product in another set.
      if (!body.includes('"list":[]')) assert.equal(setIn(body), `set ${digit}`);
    }
  };
  const clients = Promise.all(Array.from({ length: 4 }, client));
  const change = async () => {
    for (const digit of [2, 3, 4]) {
      const prices = String(fixtureSet(digit)['prices.csv']).replace(/1\d\n/, 'soon\n');
      await writeInto(settings.catalogDir, { 'prices.csv': prices });
      await until(t, async () => status().attempt?.outcome === 'pending');
      await save(fixtureSet(digit));
    }
  };
  await Promise.race([change(), clients]).finally(() => {
    isDone = true;
  });
  await clients;
  assert.ok(sets.size >= 3, 'clients have seen the sets change');
});
