import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../support/browser.ts';
import { sample } from '../support/catalogs.ts';
import { serve } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

/** The name of what has the focus, as far as this page names things. */
const FOCUSED =
  'document.activeElement.labels?.[0]?.textContent ?? document.activeElement.ariaLabel ?? document.activeElement.textContent.trim()';

test('everything works by keyboard, in reading order', { skip }, async t => {
  const { address, ask } = await serve(t, {}, sample);
  const { total } = (await ask('/overview/news')).data.pagination;
  await visit(address, async ({ page }) => {
    await page.locator('.ranking li').nth(9).waitFor();
    const focused = () => page.evaluate<string>(FOCUSED);
    const tab = async () => {
      await page.keyboard.press('Tab');
      return focused();
    };
    assert.equal(await tab(), 'Skip to the content');
    assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid');
    assert.deepEqual([await tab(), await tab(), await tab()], ['Now', 'Prices', 'News']);
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText(`${total} items`).waitFor();
    await page.keyboard.press('/');
    assert.equal(await focused(), 'Search');
    await page.keyboard.type('meridian opens');
    await page.keyboard.press('Enter');
    await page.getByRole('status').getByText('1 item', { exact: true }).waitFor();
    assert.equal(await tab(), 'Category');
    assert.equal(await tab(), 'Meridian Cloud opens in Frankfurt and Singapore');
    await page.keyboard.press('Enter');
    await page.locator('.content').waitFor();
    await page.goBack();

    await page.getByRole('status').getByText('1 item', { exact: true }).waitFor();
    await page.keyboard.press('/');
    await page.keyboard.press('Delete');
    const next = page.getByRole('button', { name: 'Next' });
    await next.focus();
    await page.keyboard.press('Enter');
    await page.getByText('Page 2 of').waitFor();
    for (let turned = 2; (await next.getAttribute('aria-disabled')) !== 'true'; turned += 1) {
      await page.keyboard.press('Enter');
      await page.getByText(`Page ${turned + 1} of`).waitFor();
    }
    assert.equal(await focused(), 'Next');
  });
});

test('keys lead to the views and from row to row, and ? lists them', { skip }, async t => {
  const { address } = await serve(t, {}, sample);
  await visit(address, async ({ page }) => {
    await page.locator('.ranking li').nth(9).waitFor();
    for (const [key, heading] of [
      ['w', 'News'],
      ['p', 'Prices'],
      ['n', 'Most read'],
    ] as const) {
      await page.keyboard.press('g');
      await page.keyboard.press(key);
      await page.getByRole('heading', { name: heading }).waitFor();
    }
    const focused = () => page.evaluate<string>('document.activeElement.textContent');
    await page.keyboard.press('j');
    assert.match(await focused(), /^products\.json/);
    await page.keyboard.press('j');
    await page.keyboard.press('j');
    await page.keyboard.press('k');
    assert.match(await focused(), /^configurations\.csv/);
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keys' }).getByText('next row').waitFor();
    await page.keyboard.press('Escape');
    assert.equal(await page.getByRole('dialog').count(), 0);
  });
});
