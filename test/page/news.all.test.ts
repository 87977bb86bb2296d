import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from '../support/browser.ts';
import { sample, shopWith } from '../support/catalogs.ts';
import { serve } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('chromium');

const titles = (page: Page) => page.locator('article h3').allTextContents();
/** Resolves when the list says how many items it has. */
const counts = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();

test('news are searched, filtered by category and paged, and each choice is in the address', {
  skip,
}, async t => {
  const { address, ask } = await serve(t, {}, sample);
  const { total } = (await ask('/overview/news')).data.pagination;
  await visit(`${address}#/news`, async ({ page }) => {
    await counts(page, `${total} items`);
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(`Page 2 of ${Math.ceil(total / 8)}`).waitFor();
    assert.match(page.url(), /#\/news\?page=2$/);
    await page.getByLabel('Search').fill('meridian opens');
    await counts(page, '1 item');
    assert.deepEqual(await titles(page), ['Meridian Cloud opens in Frankfurt and Singapore']);
    assert.match(page.url(), /#\/news\?keyword=meridian\+opens$/);
    assert.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0);
    await page.getByLabel('Category').selectOption('Maintenance');
    await counts(page, 'No news.');
    await page.getByLabel('Search').fill('');
    await counts(page, '5 items');
    assert.ok((await page.locator('.facts').allTextContents()).every(text => text.includes('Maintenance')));
  });
});

test('an address leads to the same view in another browser, and back and forward work', {
  skip,
}, async t => {
  const { address, ask } = await serve(t, {}, sample);
  const { total } = (await ask('/overview/news?keyword=server&type_id=1')).data.pagination;
  await visit(`${address}#/news?keyword=server&type=1&page=1`, async ({ page }) => {
    await counts(page, `${total} items`);
    assert.equal(await page.getByLabel('Search').inputValue(), 'server');
    assert.equal(await page.getByLabel('Category').inputValue(), '1');
    const [first = ''] = await titles(page);
    await page.getByRole('link', { name: first }).click();
    await page.getByText('Back to the list').waitFor();
    await page.goBack();
    await counts(page, `${total} items`);
    await page.goForward();
    await page.reload();
    await page.getByRole('heading', { name: first }).waitFor();
    await page.getByText('Back to the list').click();
    await counts(page, `${total} items`);
    await page.goto(`${address}#/nothing?a=b`);
    await page.getByRole('heading', { name: 'Most read' }).waitFor();
  });
});

test('an item is shown as visitors see it, with its line breaks and images, and is not read by it', {
  skip,
}, async t => {
  const { address, ask } = await serve(t, {}, sample);
  await visit(
    `${address}#/news?item=1`,
    async ({ page, requests }) => {
      await page.locator('.content strong', { hasText: 'Cloud Server' }).waitFor();
      assert.match(String(await page.locator('.facts').textContent()), /4 November 2024.*Announcements/);
      const isLoaded = 'document.querySelector("article img").naturalWidth > 0 || undefined';
      await until(t, async () => page.evaluate(isLoaded));
      assert.ok(!requests.some(url => /\/api\/news\//.test(url)), 'it has read a news item');
      assert.equal((await ask('/health')).data.reads.unsaved, 0);
      const shown = await page
        .getByRole('link', { name: 'www.example.com/prices' })
        .evaluate(link => link.outerHTML);
      assert.match(shown, /rel="noopener noreferrer"/);
    },
    { locale: 'en-GB' },
  );
});

test('plain text keeps its line breaks, and a text in another direction has it', { skip }, async t => {
  const news = [
    { id: 1, title: 'Plain', content: 'a < b\nc & d', create_time: 1_700_000_000 },
    { id: 2, title: 'مرحبا', content: 'مرحبا بكم', create_time: 1_700_000_001 },
  ];
  const { address } = await serve(t, shopWith({ 'news.json': news }));
  await visit(`${address}#/news`, async ({ page }) => {
    await counts(page, '2 items');
    const directions = await page.evaluate(
      '[...document.querySelectorAll("article")].map(one => getComputedStyle(one).direction)',
    );
    assert.deepEqual(directions, ['rtl', 'ltr']);
    await page.getByRole('link', { name: 'Plain' }).click();
    assert.equal(await page.locator('.plain').innerText(), 'a < b\nc & d');
  });
});

test('a late response to an earlier query is not shown', { skip }, async t => {
  const { address } = await serve(t);
  await visit(`${address}#/news`, async ({ page }) => {
    await counts(page, '4 items');
    let release = () => {};
    const late = new Promise<void>(resolve => (release = resolve));
    await page.route(/keyword=open/, async route => {
      await late;
      await route.continue();
    });
    const asked = page.waitForRequest(/keyword=open/);
    await page.getByLabel('Search').fill('open');
    await asked;
    await page.getByLabel('Search').fill('restart');
    await counts(page, '1 item');
    const answered = page.waitForResponse(/keyword=open/);
    release();
    await (await answered).finished();
    assert.deepEqual(await titles(page), ['Servers restart']);
  });
});

test('a page past the end leads to the first one', { skip }, async t => {
  const { address } = await serve(t);
  await visit(`${address}#/news?page=9`, async ({ page }) => {
    await counts(page, '4 items');
    await page.getByRole('link', { name: 'Servers restart' }).waitFor();
  });
});

test('an item with very many paragraphs is shown', { skip }, async t => {
  const item = { id: 1, title: 'A', content: 'x\n\n'.repeat(150_000), create_time: 1_700_000_001 };
  const { address } = await serve(t, shopWith({ 'news.json': [item] }));
  await visit(`${address}#/news`, async ({ page }) => {
    await page.getByRole('link', { name: 'A', exact: true }).click();
    await page.locator('.plain', { hasText: 'x' }).waitFor();
    assert.ok(Number(await page.evaluate('document.documentElement.scrollHeight / innerHeight')) < 4);
  });
});
