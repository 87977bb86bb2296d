import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
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
const configurations = String(shop['configurations.csv']);
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

test('without the token, it shows what the last version changed, and the commands', { skip }, async t => {
  const { address, settings } = await serve(t, shop, { previewToken: TOKEN });
  await visit(address, async ({ page, faults, requests }) => {
    await outcome(page, 'All files are live.');
    await writeFile(join(settings.catalogDir, 'prices.csv'), prices.replace('19.99', '18.99'));
    await outcome(page, '1 price changed.');
    await page.getByRole('link', { name: 'See each change' }).click();
    await page.getByText('1 change', { exact: true }).waitFor();
    assert.match(
      String(await page.locator('.changes tbody').textContent()),
      /Cloud server product_id 1Small rel_id 11Monthly duration_id 4.*price: 19\.99 → 18\.99 \(-5%\)/,
    );
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
    await page.locator('.outcome p', { hasText: /is pinned since/ }).waitFor();
    await view(page, 'History');
    await confirm(page, 'Load the files again');
    await view(page, 'Prices');
    await page.locator('.matrix', { hasText: '18.99' }).waitFor();
  });
});

test('with the token, a change that is held back is compared and confirmed', { skip }, async t => {
  const { address, settings } = await serve(t, shop, { previewToken: TOKEN });
  await visit(address, async ({ page }) => {
    await outcome(page, 'All files are live.');
    await writeFile(join(settings.catalogDir, 'prices.csv'), fewPrices);
    await outcome(page, /^Held back: /);
    await useToken(page);
    await page.locator('.outcome').getByRole('link', { name: 'Compare' }).click();
    await page.getByText('6 changes').waitFor();
    await page
      .locator('.changes tr', { hasText: 'Small rel_id 11Monthly' })
      .getByText('price: 19.99')
      .waitFor();
    assert.match(page.url(), /#\/history\?from=served&to=held$/);
    await page.goBack();
    await confirm(page, 'Let it go live');
    await view(page, 'Now');
    await outcome(page, /prices removed/);
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
    await page.getByRole('link', { name: 'See each change' }).click();
    await page.getByText('6 changes').waitFor();
    assert.match(page.url(), /#\/history\?from=\w+&to=served$/);
  });
});

test('with the token, all that changed since yesterday is found, over several versions', {
  skip,
}, async t => {
  const yesterday = new Date(Date.now() - 86_400_000);
  t.mock.timers.enable({ apis: ['Date'], now: yesterday });
  const { address, settings } = await serve(t, shop, { previewToken: TOKEN });
  t.mock.timers.reset();
  await visit(address, async ({ page }) => {
    await outcome(page, 'All files are live.');
    for (const [file, text, changed] of [
      ['prices.csv', prices.replace('19.99', '18.99'), '1 price changed.'],
      ['configurations.csv', configurations.replace('Tiny', 'Minute'), '1 configuration changed.'],
    ] as const) {
      await writeFile(join(settings.catalogDir, file), text);
      await outcome(page, changed);
    }
    await useToken(page);
    const day = yesterday.toLocaleDateString('en', { month: 'short', day: 'numeric' });
    const version = page.locator('.versions tr', { hasText: day });
    await version.getByRole('link', { name: 'Compare' }).click();
    const changes = page.locator('.changes tbody tr');
    await changes.nth(1).waitFor();
    assert.deepEqual(await changes.allTextContents(), [
      'ConfigurationsMinute id 12changedname: Tiny → Minute',
      'PricesCloud server product_id 1Small rel_id 11Monthly duration_id 4changedprice: 19.99 → 18.99 (-5%)',
    ]);
  });
});

test('any two versions are compared, in either direction', { skip }, async t => {
  const { address, settings } = await serve(t, shop, { previewToken: TOKEN });
  await visit(address, async ({ page }) => {
    await outcome(page, 'All files are live.');
    for (const price of ['18.99', '17.99']) {
      await writeFile(join(settings.catalogDir, 'prices.csv'), prices.replace('19.99', price));
      await outcome(page, '1 price changed.');
      await view(page, 'Prices');
      await page.locator('.matrix', { hasText: price }).waitFor();
      await view(page, 'Now');
    }
    await useToken(page);
    await page.locator('.versions tbody tr').nth(2).getByRole('link', { name: 'Compare' }).click();
    const changes = page.locator('.changes tbody');
    await changes.filter({ hasText: 'price: 19.99 → 17.99' }).waitFor();
    await page.getByLabel('To', { exact: true }).selectOption({ index: 2 });
    await changes.filter({ hasText: 'price: 19.99 → 18.99' }).waitFor();
    await page.reload();
    await changes.filter({ hasText: 'price: 19.99 → 18.99' }).waitFor();
    await page.getByLabel('From').selectOption({ label: 'what is live' });
    await changes.filter({ hasText: 'price: 17.99 → 18.99' }).waitFor();
    await page.goto(`${address}#/history`);
    await page.getByRole('button', { name: 'Forget the token' }).click();
    await page.getByLabel('Token').waitFor();
  });
});

test('a long list of changes scrolls in itself, and is printed whole', { skip }, async t => {
  const { address, settings } = await serve(t, longWords);
  await visit(address, async ({ page }) => {
    await reach(page, settings.catalogDir, { view: 'history', saved: [changed] });
    const list = page.getByRole('region', { name: /changes$/ });
    await list.waitFor();
    const isWhole = () => list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight === clientHeight);
    assert.equal(await isWhole(), false);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await isWhole(), true);
  });
});
