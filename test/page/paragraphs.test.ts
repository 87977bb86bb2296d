import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../support/browser.ts';
import { shopWith } from '../support/catalogs.ts';
import { serve } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

test('an item with very many paragraphs is shown', { skip }, async t => {
  const item = { id: 1, title: 'A', content: 'x\n\n'.repeat(150_000), create_time: 1_700_000_001 };
  const { address } = await serve(t, shopWith({ 'news.json': [item] }));
  await visit(address, async ({ page }) => {
    await page.locator('#news article').waitFor();
    assert.equal(await page.locator('#news article details p').count(), 149_999);
  });
});
