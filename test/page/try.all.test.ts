import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from '../support/browser.ts';
import { drop } from '../support/page/drop.ts';
import { serve, shop } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

const prices = String(shop['prices.csv']);

const choose = (page: Page, files: Record<string, string>) =>
  page.getByLabel('Files to check').setInputFiles(
    Object.entries(files).map(([name, text]) => ({
      name,
      mimeType: 'text/plain',
      buffer: Buffer.from(text),
    })),
  );

test('a chosen file is checked against what is live without an upload, and seen in the views', {
  skip,
}, async t => {
  const { address, ask } = await serve(t);
  await visit(`${address}#/try`, async ({ page, requests }) => {
    await choose(page, { 'prices.csv': prices.replace('19.99', '"18,99"') });
    await page.getByText('These files would not be taken up: 1 error.').waitFor();
    await page
      .locator('.cause', { hasText: 'E5 in prices.csv' })
      .getByText(/write 18\.99/)
      .waitFor();

    await choose(page, { 'prices.csv': prices.replace('19.99', '18.99') });
    await page.getByText('These files would go live.').waitFor();
    await page.getByText('1 price changed', { exact: true }).waitFor();
    await page.getByText('What would change for visitors').click();
    assert.match(await page.locator('pre').first().innerText(), /19\.99 → 18\.99/);

    await page.getByRole('button', { name: 'Show them in the views' }).click();
    await page.getByRole('link', { name: 'Prices', exact: true }).click();
    await page.locator('.matrix .changed', { hasText: '18.99before 19.99 (-5%)' }).waitFor();
    await page.getByRole('link', { name: 'News', exact: true }).click();
    await page.getByRole('link', { name: 'Servers restart' }).click();
    await page.getByText('Tonight & tomorrow.').waitFor();
    await page.getByRole('button', { name: 'Back to what is live' }).click();
    await page.getByRole('link', { name: 'Prices', exact: true }).click();
    await page.locator('.matrix', { hasText: '19.99' }).waitFor();
    assert.equal(
      (await ask('/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=4')).data.price,
      19.99,
    );
    assert.ok(requests.every(url => !url.includes('prices.csv')));
  });
});

test('files that are dropped anywhere on the page are checked', { skip }, async t => {
  const { address } = await serve(t);
  await visit(address, async ({ page }) => {
    await page.locator('.ranking').waitFor();
    await drop(page, { 'products.json': '[{"id":1}]' });
    await page.locator('.cause', { hasText: 'MISSING_VALUE' }).waitFor();
    assert.match(page.url(), /#\/try$/);
    await page.getByText('As `vitrine check` prints it').click();
    assert.match(await page.locator('pre').innerText(), /^refused: \d+ error/m);
  });
});
