import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { contentPath, type Entry, eachEntry, historyIn } from '../../src/history/entries.ts';
import { prune } from '../../src/history/keep.ts';
import { shop, writeInto } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

const priceOf = (price: string) => ({ 'prices.csv': String(shop['prices.csv']).replace('19.99', price) });

test('the history keeps the report of each set but the first, as long as the set, and a start reads it', async t => {
  const { save, app, settings } = await startService(t, shop, { holdBack: 'off' });
  const { catalogDir, stateDir } = settings;
  for (const price of ['24.99', '29.99']) await save(priceOf(price));
  await app.close();
  const history = historyIn(stateDir, () => {});
  const { dir } = history;
  const entries: Entry[] = [];
  for await (const { entry } of eachEntry(history)) entries.push(entry);
  assert.deepEqual(
    entries.map(({ summary }) => summary),
    ['1 price changed', '1 price changed', undefined],
  );
  const [third, second, first] = entries.map(({ report }) => report?.sha256);
  assert.equal(first, undefined);
  const left = async (historyDays: number) => {
    await prune(history, { historyMb: 256, historyDays }, Date.now() / 1000 + 3600);
    const contents = await readdir(join(dir, 'files'));
    return [third, second].map(hash => contents.includes(`${hash}.gz`));
  };
  assert.deepEqual(await left(1), [true, true]);
  assert.deepEqual(await left(0.01), [true, false]);

  const version = entries[0]?.version;
  await writeFile(contentPath(dir, String(third)), 'damaged');
  const again = await startService(t, {}, { catalogDir, stateDir });
  const { data, headers } = await again.ask('/changes');
  assert.deepEqual([data.list, data.from, headers['catalog-version']], [[], null, version]);
  await again.app.close();

  // Files that change while the service is down are compared with those that it served.
  await writeInto(catalogDir, priceOf('34.99'));
  const { ask } = await startService(t, {}, { catalogDir, stateDir });
  const changes = (await ask('/changes')).data;
  assert.deepEqual([changes.from, changes.pagination.total], [version, 1]);
  assert.equal((await ask('/health')).data.last_attempt.changes, '1 price changed');
});
