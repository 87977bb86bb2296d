import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { visit } from '../support/browser.ts';
import { shopWith } from '../support/catalogs.ts';
import { serve } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

const ATTACK =
  '<script>pwned=1</script><img src=x onerror="pwned=2"><svg onload="pwned=3"><iframe srcdoc="<script>parent.pwned=4</script>"></iframe><style>*{display:none}</style><a href="javascript:pwned=5">a</a><form action=//a.example><input autofocus onfocus="pwned=6"></form><link rel=stylesheet href=//a.example/a.css><base href=//a.example><meta http-equiv=refresh content="0;url=//a.example">';

const files = shopWith({
  'products.json': [{ id: 1, name: ATTACK, description: ATTACK }],
  'configurations.json': [{ id: 1, product_id: 1, name: ATTACK, cpu: 1, memory: 1 }],
  'durations.json': [{ id: 1, name: ATTACK, num: 1, unit: 'hour' }],
  'prices.json': [{ id: 1, product_id: 1, rel_id: 1, duration_id: 1, price: 1 }],
  'news_types.json': [{ id: 1, name: ATTACK }],
  'news.json': [
    {
      id: 1,
      type_id: 1,
      title: ATTACK,
      content: `<p>one</p><p>two${ATTACK}</p>three`,
      keywords: ATTACK,
      read: 1,
      create_time: 1_700_000_001,
    },
  ],
  [`${'x'.repeat(9)}<img src=x onerror=pwned=7>.json`]: '[]',
});

/** What catalog content must never become. */
const FORBIDDEN =
  'script, iframe, style, base, meta, link, form, input:not([type=search]), [onerror], [onload], [style*=":none"]';

/** The places of each view that show texts of the catalogs, and one that appears last. */
const views = {
  now: ['.ranking .title'],
  prices: ['.matrix tbody th span', '.matrix thead th + th', '.description', '#product option'],
  news: ['article h3', '.keywords', '.facts span', '#type option + option'],
};

for (const [view, places] of Object.entries(views)) {
  test(`the view ${view} shows catalog content as text: none of it runs, loads anything or imitates the page`, {
    skip,
  }, async t => {
    const { address } = await serve(t, files);
    await visit(`${address}#/${view}`, async ({ page, requests }) => {
      for (const place of places) {
        await page.locator(place).first().waitFor({ state: 'attached' });
        assert.equal(await page.locator(place).first().textContent(), ATTACK, place);
      }
      assert.equal(await page.evaluate('typeof pwned'), 'undefined');
      assert.equal(await page.locator('main').locator(FORBIDDEN).count(), 0);
      assert.ok(requests.every(url => !url.includes('example')));
    });
  });
}

test('the content of a news item is shown without what runs, loads from elsewhere or imitates the page', {
  skip,
}, async t => {
  const { address } = await serve(t, files);
  await visit(`${address}#/news?item=1`, async ({ page, requests, faults }) => {
    await page.locator('.content p', { hasText: 'one' }).waitFor();
    const links = await page
      .locator('.content a')
      .evaluateAll(all => all.map(link => link.getAttribute('href')));
    assert.ok(
      links.every(link => link === null),
      String(links),
    );
    assert.equal(await page.evaluate('typeof pwned'), 'undefined');
    assert.equal(await page.locator('main').locator(FORBIDDEN).count(), 0);
    assert.ok(requests.every(url => !url.includes('example')));
    // The browser tells what the policy keeps from running while the content is cleaned, and of the image `x`.
    for (const fault of faults.splice(0)) assert.match(fault, /Content Security Policy|status of 404/);
  });
});

test('problems quote catalog content as text', { skip }, async t => {
  const { address, settings } = await serve(t, files);
  await visit(address, async ({ page }) => {
    await page.locator('.ranking .title').waitFor();
    const prices = [{ id: ATTACK, product_id: 1, rel_id: 1, duration_id: 1, price: 1 }];
    await writeFile(join(settings.catalogDir, 'prices.json'), JSON.stringify(prices));
    await page.locator('.message', { hasText: '<script>' }).waitFor();
    assert.equal(await page.evaluate('typeof pwned'), 'undefined');
    assert.equal(await page.locator('main').locator(FORBIDDEN).count(), 0);
  });
});
