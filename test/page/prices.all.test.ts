import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from '../support/browser.ts';
import { sample, shopWith } from '../support/catalogs.ts';
import { serve, shop } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

test('a product has its configurations down and its durations across, and empty places where a price is missing', {
  skip,
}, async t => {
  const { address } = await serve(t);
  await visit(`${address}#/prices`, async ({ page }) => {
    await page.getByRole('table', { name: 'Prices' }).waitFor();
    const row = (name: string) =>
      page.locator('tbody tr').filter({ hasText: name }).locator('td').allTextContents();
    const headings = await page.locator('thead th').allTextContents();
    assert.deepEqual(headings, ['Configuration', 'Hourly', 'Monthly', 'Quarterly', 'Yearly']);
    assert.deepEqual(await row('Small'), ['0.10', '19.99', '99,999,999.9999', '455.47']);
    const none = '–no price';
    assert.deepEqual(await row('Large'), ['0.00595', none, none, none]);
    assert.equal(await page.locator('tbody tr').filter({ hasText: 'Secret' }).count(), 0);

    await page.getByLabel('Show').selectOption('prices per month');
    assert.deepEqual(await row('Small'), ['73.05', '19.99', '33,333,333.33', '37.96']);
    assert.match(page.url(), /#\/prices\?per=month$/);
    await page.getByLabel('Product').selectOption('香港云服务器');
    await page.getByRole('rowheader', { name: 'Hong Kong' }).waitFor();
    assert.match(page.url(), /product=2/);
    await page.getByLabel('Product').selectOption('Sold out');
    await page.getByRole('status').getByText('Nothing found.').waitFor();
  });
});

test('what the last version changed is marked with the price before it, and the percentage', {
  skip,
}, async t => {
  const { address, settings } = await serve(t);
  await visit(`${address}#/prices`, async ({ page }) => {
    await page.getByRole('rowheader', { name: 'Small' }).waitFor();
    assert.equal(await page.locator('.changed').count(), 0);
    const changed = String(shop['prices.csv'])
      .replace('19.99', '21.989')
      .replace('105,1,12,4,9.90\n', '')
      .concat('109,1,13,4,5\n');
    await writeFile(join(settings.catalogDir, 'prices.csv'), changed);
    const texts = page.locator('.changed');
    await texts.nth(2).waitFor();
    assert.deepEqual(await texts.allTextContents(), ['gone', '21.989before 19.99 (+10%)', '5.00new']);
  });
});

/** As many as the largest real catalog at hand. */
const configurations = Array.from({ length: 419 }, (_, index) => ({
  ...{ id: index + 1, product_id: 1, name: `c${index % 7}.family-${index + 1}`, cpu: 2, memory: 4096 },
}));

test('a configuration is found by part of its name among 419, and the matrix is printed alone', {
  skip,
}, async t => {
  const prices = configurations.flatMap(({ id }) =>
    [1, 2, 3, 4].map(duration_id => ({
      id: id * 10 + duration_id,
      product_id: 1,
      rel_id: id,
      duration_id,
      price: id,
    })),
  );
  const files = {
    'configurations.csv': null,
    'configurations.json': configurations,
    'prices.csv': null,
    'prices.json': prices,
  };
  const { address } = await serve(t, shopWith(files));
  await visit(`${address}#/prices`, async ({ page }) => {
    await page.getByRole('status').getByText('419 configurations').waitFor();
    assert.ok(Number(await page.evaluate('document.documentElement.scrollHeight / innerHeight')) <= 4);
    await page.keyboard.press('/');
    await page.keyboard.type('c2 ly-311');
    await page.getByRole('status').getByText('1 configuration', { exact: true }).waitFor();
    assert.deepEqual(await page.locator('tbody th span').allTextContents(), ['c2.family-311']);
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.getByRole('search').isVisible(), false);
    assert.equal(await page.getByRole('table').isVisible(), true);
  });
});

test('everything is on the page in the sample, too', { skip }, async t => {
  const { address } = await serve(t, {}, sample);
  await visit(`${address}#/prices`, async ({ page }) => {
    const nano = page.locator('tbody tr').filter({ hasText: 'Nano' });
    await nano.waitFor();
    assert.equal(await nano.locator('small').first().textContent(), '0.5 CPUs, 512 MB');
    assert.deepEqual(await nano.locator('td').allTextContents(), [
      '0.0044',
      '2.90',
      '8.35',
      '16.01',
      '29.58',
      '73.08',
    ]);
    await page.getByLabel('Product').selectOption('Managed Database');
    await page.getByText('7 configurations').waitFor();
    assert.match(String(await page.locator('.description').textContent()), /^PostgreSQL/);
  });
});

test('the page is in English, with numbers as the reader writes them', { skip }, async t => {
  const { address } = await serve(t);
  const price = async (locale: string) => {
    let text: string | null = null;
    await visit(
      `${address}#/prices`,
      async ({ page }) => {
        text = await page.locator('.matrix td', { hasText: '99' }).nth(1).textContent();
        await page.getByText('Configuration', { exact: true }).waitFor();
        assert.equal(await page.locator('html').getAttribute('lang'), 'en');
      },
      { locale },
    );
    return text;
  };
  assert.deepEqual([await price('en-GB'), await price('de-DE')], ['99,999,999.9999', '99.999.999,9999']);
});
