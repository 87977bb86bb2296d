import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from '../support/browser.ts';
import { drop } from '../support/page/drop.ts';
import { serve, shop } from '../support/page/serve.ts';
import { TOKEN } from '../support/page/token.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

const prices = String(shop['prices.csv']);
const verdict = (page: Page, text: string | RegExp) =>
  page.locator('.outcome h3').filter({ hasText: text }).waitFor();

test('files that are dropped are checked once the token is there, and chosen ones then', {
  skip,
}, async t => {
  const { address, services } = await serve(t, shop, { previewToken: TOKEN });
  await visit(address, async ({ page }) => {
    await page.locator('.ranking').waitFor();
    await drop(page, { 'prices.csv': prices.replace('19.99', '18.99') });
    await page.getByText('The service checks files for people with the token').waitFor();
    assert.match(page.url(), /#\/try$/);
    await page.getByLabel('Token').fill(TOKEN);
    await page.getByRole('button', { name: 'Use it' }).click();
    await verdict(page, /^These files would go live: 1 price changed\.$/);
    await page.locator('.changes td', { hasText: 'price: 19.99 → 18.99 (-5%)' }).waitFor();

    await page
      .getByLabel('Files to check')
      .setInputFiles([
        { name: 'prices.csv', mimeType: 'text/csv', buffer: Buffer.from(prices.replace('19.99', '"18,99"')) },
      ]);
    await verdict(page, /^These files would be refused: 1 error\.$/);
    await page
      .locator('.cause', { hasText: 'E5 in prices.csv' })
      .getByText(/write 18\.99/)
      .waitFor();

    await drop(page, { 'prices.csv': `${prices.split('\n').slice(0, 3).join('\n')}\n` });
    await verdict(page, /^These files would be held back: /);
    await page.locator('.outcome li', { hasText: 'prices would disappear' }).waitFor();
    assert.equal(services.catalog.status().held, undefined);
  });
});

test('a check waits for the one before it', { skip }, async t => {
  const { address } = await serve(t, shop, { previewToken: TOKEN });
  await visit(address, async ({ page, faults }) => {
    await page.evaluate(`sessionStorage.setItem('vitrine-token', '${TOKEN}')`);
    await page.reload();
    await page.route('**/check', route =>
      route.fulfill({
        ...{ status: 503, contentType: 'application/json' },
        body: JSON.stringify({ success: false, message: 'busy', data: { error: 'CHECK_BUSY' } }),
      }),
    );
    const asked = page.waitForRequest('**/check');
    await drop(page, { 'prices.csv': prices });
    await asked;
    await page.unroute('**/check');
    await verdict(page, 'These files hold what is live already.');
    for (const fault of faults.splice(0)) assert.match(fault, /status of 503/);
  });
});
