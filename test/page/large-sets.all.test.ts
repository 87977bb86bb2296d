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

const numbers = (count: number) => Array.from({ length: count }, (_, index) => index + 1);

test('a matrix of many durations fits into the page, and is printed whole', { skip }, async t => {
  const configurations = numbers(30).map(id => ({
    id,
    product_id: 1,
    name: `Size ${id}`,
    cpu: 1,
    memory: 1,
  }));
  const { address } = await serve(
    t,
    shopWith({
      'configurations.csv': null,
      'configurations.json': configurations,
      'durations.json': numbers(24).map(num => ({ id: num, name: `${num} months`, num, unit: 'month' })),
      'prices.csv': null,
      'prices.json': configurations.flatMap(({ id }) =>
        numbers(24).map(duration_id => ({
          ...{ id: id * 100 + duration_id, product_id: 1, rel_id: id, duration_id },
          price: 100_000 + duration_id,
        })),
      ),
    }),
  );
  await visit(`${address}#/prices`, async ({ page }) => {
    await page.locator('.matrix tbody tr').nth(19).waitFor();
    for (const width of [1280, 390]) {
      await page.setViewportSize({ width, height: 844 });
      assert.equal(await page.evaluate('document.documentElement.scrollWidth'), width);
      const screens = Number(await page.evaluate('document.documentElement.scrollHeight / innerHeight'));
      assert.ok(screens <= 4, `${screens} screens at ${width} px`);
    }
    await page.emulateMedia({ media: 'print' });
    const isWhole = '(({ scrollHeight, clientHeight }) => scrollHeight === clientHeight)';
    assert.ok(await page.evaluate(`${isWhole}(document.querySelector('.matrix').parentElement)`));
  });
});

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
