import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogNames } from '../../src/contract/columns.ts';
import { loadCatalog } from '../../src/live/load.ts';
import { type Files, sample, shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { bearer, previewToken } from '../support/http/previews.ts';
import { startService } from '../support/service.ts';

for (const format of ['csv', 'json'] as const) {
  for (const timeZone of ['UTC', 'America/New_York']) {
    test(`the ${format} files of all catalogs of a preview are the same set again in ${timeZone}`, async t => {
      const { dispatch, services } = await startService(t, {}, { ...sample, previewToken, timeZone });
      const files: Files = {};
      for (const catalog of catalogNames) {
        const url = `/preview/2026-01-01/overview/rows.${format}?catalog=${catalog}`;
        const { body, headers } = await dispatch({ url, headers: bearer });
        assert.equal(headers['content-disposition'], `attachment; filename="${catalog}.${format}"`);
        files[`${catalog}.${format}`] = body;
      }
      const again = await loadCatalog(sourceIn(await writeFiles(t, files), { timeZone }));
      assert.deepEqual(
        again.report.problems.filter(({ code }) => !/IMAGE|OTHER/.test(code)),
        [],
      );
      const served = services.catalog.snapshot();
      assert.equal(again.snapshot?.version, served?.version);
      const hiddenRows = (starts?: Uint32Array) => Array.from(starts ?? []);
      assert.deepEqual(
        hiddenRows(again.snapshot?.sources?.hidden.starts),
        hiddenRows(served?.sources?.hidden.starts),
      );
    });
  }
}

test('a file has the rows of the list, all pages of them, with whole texts', async t => {
  const long = 'x'.repeat(300);
  const products = Array.from({ length: 150 }, (_, index) => ({
    id: 150 - index,
    name: `A "${long}", ${index}`,
  }));
  const { dispatch } = await startService(t, shopWith({ 'products.json': products }));
  const csv = await dispatch('/overview/rows.csv?catalog=products&sort=id');
  assert.equal(csv.headers['content-type'], 'text/csv; charset=utf-8');
  assert.equal(csv.headers['cache-control'], 'no-store');
  assert.equal(csv.headers['content-security-policy'], "default-src 'none'; frame-ancestors 'none'");
  const lines = csv.body.split('\r\n');
  assert.equal(lines[0], '\ufeffid,name,description');
  assert.equal(lines[1], `1,"A ""${long}"", 149",`);
  assert.equal(lines.length, 1 + 150 + 1);
  const json = await dispatch('/overview/rows.json?catalog=products&keyword=14&order=desc');
  assert.deepEqual(
    json.json().map(({ id }: { id: number }) => id),
    products
      .filter(({ id, name }) => `${id} ${name}`.includes('14'))
      .map(({ id }) => id)
      .reverse(),
  );
  assert.equal((await dispatch('/overview/rows.json?catalog=products&keyword=none')).body, '[]\n');
});

test('visitors get no hidden rows, other times or unserved columns in a file', async t => {
  const { dispatch } = await startService(t);
  for (const catalog of catalogNames) {
    for (const format of ['csv', 'json']) {
      const { body } = await dispatch(`/overview/rows.${format}?catalog=${catalog}`);
      assert.doesNotMatch(body, /secret|draft|future|hidden|publish_time|order|read/i, catalog);
    }
  }
});

test('HEAD has the headers alone, and errors are the envelope', async t => {
  const { dispatch, ask } = await startService(t, shop, { previewToken });
  const head = await dispatch({ url: '/overview/rows.csv?catalog=news', method: 'HEAD' });
  assert.deepEqual(
    [head.statusCode, head.body, head.headers['content-disposition']],
    [200, '', 'attachment; filename="news.csv"'],
  );
  for (const query of ['', '?catalog=all', '?catalog=prices&sort=name', '?catalog=news&order=x']) {
    const { data, headers } = await ask(`/overview/rows.csv${query}`);
    assert.equal(data.error, 'INVALID_PARAMETER', query);
    assert.equal(headers['content-disposition'], undefined);
  }
  assert.equal((await dispatch('/preview/2026-01-01/overview/rows.csv?catalog=news')).statusCode, 404);
});
