import assert from 'node:assert/strict';
import { utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from '../support/browser.ts';
import { changed, longWords } from '../support/page/long-words.ts';
import { serve, shop } from '../support/page/serve.ts';
import { reach } from '../support/page/states.ts';
import { TOKEN, useToken } from '../support/page/token.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

const prices = String(shop['prices.csv']);
const fewPrices = prices.split('\n').slice(0, 3).join('\n').concat('\n');

const outcome = (page: Page, text: string | RegExp) =>
  page.locator('.outcome h2').filter({ hasText: text }).waitFor();
const view = (page: Page, name: string) => page.getByRole('link', { name, exact: true }).click();

/** Clicks a button that asks once more. */
async function confirm(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Click again to do it' }).click();
  await page.getByText('Done: the service follows').waitFor();
}

test('without the token, it shows each change of the last version, and the commands', { skip }, async t => {
  const { address, settings } = await serve(t, shop, { previewToken: TOKEN });
  await visit(address, async ({ page, faults, requests }) => {
    await outcome(page, 'All files are live.');
    await writeFile(join(settings.catalogDir, 'prices.csv'), prices.replace('19.99', '18.99'));
    await outcome(page, '1 price changed.');
    await page.getByText('1 change', { exact: true }).waitFor();
    assert.match(
      String(await page.locator('.changes tbody').textContent()),
      /Cloud server product_id 1Small rel_id 11Monthly duration_id 4.*price: 19\.99 → 18\.99 \(-5%\)/,
    );
    await view(page, 'History');
    await page.getByText('vitrine rollback VERSION').waitFor();
    assert.ok(!requests.some(url => url.includes('/history')));

    await useToken(page, 'another');
    await page.getByText('The service does not know this token').waitFor();
    assert.equal(await page.locator('#away').textContent(), '');
    for (const fault of faults.splice(0)) assert.match(fault, /status of 404/);
  });
});

test('with the token, a version is rolled back to, and the files are loaded again', { skip }, async t => {
  const { address, settings } = await serve(t, shop, { previewToken: TOKEN });
  await visit(address, async ({ page }) => {
    await outcome(page, 'All files are live.');
    await writeFile(join(settings.catalogDir, 'prices.csv'), prices.replace('19.99', '18.99'));
    await outcome(page, '1 price changed.');
    await useToken(page);
    await page.locator('.versions tbody tr').nth(1).waitFor();
    assert.match(
      String(await page.locator('.versions tbody tr').first().textContent()),
      /live.*1 price changed/,
    );
    await confirm(page, /^Roll back to /);
    await page.locator('.versions tr', { hasText: 'live, pinned' }).waitFor();
    await view(page, 'Prices');
    await page.locator('.matrix', { hasText: '19.99' }).waitFor();
    await view(page, 'Now');
    await outcome(page, /^Pinned to version \w+ since .*: saves do not go live\.$/);
    // A file system may know times to the second.
    const saved = new Date(Date.now() + 2_000);
    await writeFile(join(settings.catalogDir, 'prices.csv'), prices.replace('19.99', '17.99'));
    await utimes(join(settings.catalogDir, 'prices.csv'), saved, saved);
    await outcome(page, /^The save of .* waits: version \w+ is pinned\.$/);
    await confirm(page, 'Load the files again');
    await view(page, 'Prices');
    await page.locator('.matrix', { hasText: '17.99' }).waitFor();
  });
});

test('with the token, a change that is held back is confirmed where the page says so', { skip }, async t => {
  const { address, settings } = await serve(t, shop, { previewToken: TOKEN });
  await visit(address, async ({ page }) => {
    await outcome(page, 'All files are live.');
    await useToken(page);
    await view(page, 'Now');
    await writeFile(join(settings.catalogDir, 'prices.csv'), fewPrices);
    await outcome(page, /^Held back: /);
    await page.getByRole('button', { name: 'Let it go live' }).click();
    await page.getByRole('button', { name: 'Click again to do it' }).click();
    await outcome(page, /prices removed/);
    await page.getByText('5 changes').waitFor();
  });
});

test('a long list of changes scrolls in itself, and is printed whole', { skip }, async t => {
  const { address, settings } = await serve(t, longWords);
  await visit(address, async ({ page }) => {
    await reach(page, settings.catalogDir, { view: 'now', saved: [changed] });
    const list = page.getByRole('region', { name: /changes$/ });
    await list.waitFor();
    const isWhole = () => list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight === clientHeight);
    assert.equal(await isWhole(), false);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await isWhole(), true);
  });
});
