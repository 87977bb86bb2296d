import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from '../support/browser.ts';
import { shopWith } from '../support/catalogs.ts';
import { serve, shop } from '../support/page/serve.ts';
import { TOKEN, useToken } from '../support/page/token.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('chromium');

const row = { content: 'text', create_time: '2024-01-05' };
const files = shopWith({
  'later.png': shop['launch.png'] ?? null,
  'news.json': [
    { ...row, id: 1, title: 'Of always' },
    { ...row, id: 2, title: 'Of later', img: 'later.png', publish_time: '2199-01-01 09:00:00' },
    { ...row, id: 3, title: 'Until later', unpublish_time: '2198-01-01' },
    { ...row, id: 4, title: 'Of yesterday', unpublish_time: '2024-02-01' },
    { ...row, id: 5, title: 'Secret', hidden: true, publish_time: '2197-01-01' },
  ],
});

const titles = (page: Page) => page.locator('article h3').allTextContents();

test('with the token, the page shows the site as of another time, in all views', { skip }, async t => {
  const { address } = await serve(t, files, { previewToken: TOKEN });
  await visit(`${address}#/news`, async ({ page }) => {
    await page.getByRole('status').getByText('2 items').waitFor();
    assert.equal(await page.getByLabel('Show the site as of').count(), 0);
    await useToken(page);
    await page.getByRole('link', { name: 'News', exact: true }).click();
    const events = page.locator('.calendar li');
    await events.nth(1).waitFor();
    assert.match(String(await events.nth(0).textContent()), /2198.*disappearsUntil later/);
    assert.match(String(await events.nth(1).textContent()), /2199.*appearsOf later/);
    assert.equal(await events.count(), 2);

    await page.getByLabel('Show the site as of').fill('2199-01-01T09:00');
    await page.getByText('This is a preview').waitFor();
    await page.locator('article', { hasText: 'Of later' }).waitFor();
    assert.deepEqual((await titles(page)).toSorted(), ['Of always', 'Of later']);
    assert.match(page.url(), /at=2199-01-01T09%3A00/);
    await page.getByRole('link', { name: 'Rows', exact: true }).click();
    await page.getByLabel('Catalog', { exact: true }).selectOption('News');
    await page.reload();
    await page.locator('tr', { hasText: 'Of later' }).waitFor();
    assert.equal(await page.locator('tbody tr').count(), 2);
    await page.getByRole('button', { name: 'Back to what is live' }).click();
    await page.getByRole('status').getByText('2 rows').waitFor();
  });
});

test('images and links of a preview have the token until it is forgotten', { skip }, async t => {
  const { address, ask } = await serve(t, files, { previewToken: TOKEN, basePath: '/shop' });
  const at = '2199-01-01T09:00';
  await visit(`${address}shop/#/news?at=${at}`, async ({ page, requests }) => {
    await page.locator('article').first().waitFor();
    await useToken(page);
    await page.goto(`${address}shop/#/news?at=${at}`);
    const image = page.locator('article', { hasText: 'Of later' }).locator('img');
    await image.waitFor();
    const width = () => page.evaluate(`document.querySelector('article img').naturalWidth`);
    await until(t, async () => ((await width()) === 1 ? true : undefined));
    assert.ok(requests.some(url => url.endsWith(`/preview/${encodeURIComponent(at)}/images/later.png`)));
    assert.equal((await ask('/shop/images/later.png')).status, 404);

    await page.goto(`${address}shop/#/rows?catalog=news&at=${at}`);
    await page.getByRole('link', { name: 'This view as JSON' }).click();
    await page.getByText('Of later').waitFor();
    assert.match(await page.locator('body').innerText(), /^{"success":true/);

    await page.goto(`${address}shop/#/history`);
    const previewed = async () => (await page.request.get(`${address}shop/preview/${at}/api/news`)).status();
    assert.equal(await previewed(), 200);
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByLabel('Token').waitFor();
    assert.equal(await previewed(), 404);
    assert.deepEqual(await page.context().cookies(), []);
  });
});

test('with the token, what is held back is seen as it would be', { skip }, async t => {
  const { address, settings } = await serve(t, shop, { previewToken: TOKEN });
  await visit(`${address}#/prices`, async ({ page }) => {
    await page.getByRole('rowheader', { name: 'Small' }).waitFor();
    await useToken(page);
    const few = String(shop['prices.csv']).split('\n').slice(0, 3).join('\n').concat('\n');
    await writeFile(join(settings.catalogDir, 'prices.csv'), few);
    await page.getByRole('button', { name: 'Show what is held back' }).click();
    await page.getByRole('link', { name: 'Prices', exact: true }).click();
    await page.locator('.changed', { hasText: 'gone' }).first().waitFor();
    await page.getByRole('button', { name: 'Back to what is live' }).click();
    await page.locator('.matrix', { hasText: '19.99' }).waitFor();
  });
});
