import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { visit } from '../support/browser.ts';
import { sample, writeFiles } from '../support/catalogs.ts';
import { serve, shop, test as testPage } from '../support/page/serve.ts';
import { skipWithout, skipWithoutBuild } from '../support/skipping.ts';

const skip = skipWithout('chromium');

test('the page works as a plugin below a prefix, also from an address without its slash', {
  skip,
}, async t => {
  const host = Fastify({ pluginTimeout: 0 });
  const dir = await writeFiles(t, shop);
  afterTest(t, () => host.close());
  host.register(vitrine, { prefix: '/a/shop', catalogDir: dir, imagesDir: dir, stateDir: dir });
  await visit(`${await host.listen({ port: 0, host: '127.0.0.1' })}/a/shop?b=/c`, async ({ page }) => {
    await page.getByRole('link', { name: 'News', exact: true }).click();
    await page.getByRole('heading', { name: 'Servers restart' }).waitFor();
    await page.getByRole('link', { name: 'Prices', exact: true }).click();
    await page.getByRole('rowheader', { name: 'Tiny' }).waitFor();
  });
});

testPage(
  'without JavaScript, the page says so and links to the documentation',
  {
    javaScriptEnabled: false,
  },
  async ({ page, address }) => {
    assert.match(await page.locator('noscript').innerText(), /^This page needs JavaScript/);
    for (const name of ['health', 'overview']) {
      await page.goto(address);
      await page.getByRole('link', { name, exact: true }).click();
      assert.match(await page.locator('body').innerText(), /^{"success":true/);
    }
  },
);

test('the docs page loads nothing from elsewhere, and sends the requests that people try', {
  skip: skip || skipWithoutBuild(),
}, async t => {
  const { address } = await serve(t, {}, { ...sample, basePath: '/shop' });
  await visit(`${address}shop/documentation`, async ({ page, requests }) => {
    await page.locator('.opblock').nth(10).waitFor();
    await page.locator('#operations-Configurations-getPrice').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    assert.match(await page.locator('.live-responses-table').innerText(), /"price": 19\.9/);
    assert.ok(requests.some(url => url.endsWith('/shop/documentation/json')));
    assert.ok(requests.some(url => url.includes('/shop/api/recommend-config/price?product_id=1')));
  });
});
