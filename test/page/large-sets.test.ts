import assert from 'node:assert/strict';
import { test } from 'node:test';
import { visit } from '../support/browser.ts';
import { shopWith } from '../support/catalogs.ts';
import { serve } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

/** As many as the largest real set of news at hand, and each as long. */
const news = Array.from({ length: 4_245 }, (_, index) => ({
  ...{ id: index + 1, title: `Title ${index + 1} of this item`, keywords: 'one, two, three' },
  content: `<p>${'A sentence of the item. '.repeat(40)}</p>`.repeat(5),
  create_time: 1_600_000_000 + index,
}));

test('with 4,245 news items, a page has a few of them and as many elements as with a few', {
  skip,
}, async t => {
  const { address } = await serve(t, shopWith({ 'news.json': news }));
  for (const height of [844, 1_000]) {
    await visit(
      `${address}#/news`,
      async ({ page }) => {
        await page.getByRole('status').getByText('4,245 items').waitFor();
        assert.ok(Number(await page.evaluate('document.documentElement.scrollHeight / innerHeight')) <= 4);
        assert.ok((await page.locator('*').count()) < 250);
        await page.getByLabel('Search').pressSequentially('title 4000');
        await page.getByRole('status').getByText('1 item', { exact: true }).waitFor();
      },
      { viewport: { width: height === 844 ? 390 : 1280, height } },
    );
  }
});
