import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type CatalogName, catalogNames, catalogs } from '../../src/contract/columns.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

/** The files of some of the shop's catalogs. */
function only(names: readonly string[]): Files {
  return Object.fromEntries(
    Object.entries(shop).filter(([file]) => names.includes(file.split('.')[0] ?? '')),
  );
}

test('a catalog may be absent unless another refers to it, but not all of them', async t => {
  for (let bits = 0; bits < 2 ** catalogNames.length; bits += 1) {
    const names = catalogNames.filter((_, index) => bits & (2 ** index));
    const missing = catalogNames.filter(
      name =>
        !names.includes(name) && catalogs[name].neededBy.some(user => names.includes(user as CatalogName)),
    );
    const { report } = await readSource(sourceIn(await writeFiles(t, only(names))));
    const told = report.problems.filter(({ code }) => code === 'MISSING_FILE').map(({ file }) => file);
    if (names.length === 0) assert.equal(told.length, 1);
    else
      assert.deepEqual(
        told,
        missing.map(name => `${name}.csv`),
        names.join(),
      );
    assert.equal(report.version !== undefined, names.length > 0 && missing.length === 0, names.join());
  }
});

test('a site with news alone answers every endpoint, and so does a shop without news', async t => {
  const statuses = async (files: Files) => {
    const { ask } = await startService(t, files);
    const paths = [
      '/api/recommend-config?product_id=1',
      '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=4',
      '/api/news',
      '/api/news/1',
      '/overview',
      '/health',
    ];
    return Promise.all(paths.map(async path => (await ask(path)).status));
  };
  assert.deepEqual(await statuses(only(['news'])), [200, 404, 200, 200, 200, 200]);
  assert.deepEqual(
    await statuses(shopWith({ 'news.json': null, 'news_types.json': null })),
    [200, 200, 200, 404, 200, 200],
  );
});
