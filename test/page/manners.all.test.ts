import assert from 'node:assert/strict';
import { test as testOfNode } from 'node:test';
import Fastify from 'fastify';
import type { Page } from 'playwright-core';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { newsItems, sample, shopWith, writeFiles } from '../support/catalogs.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';
import { visit } from './browser.ts';
import { drop, goTo, ofSample, prices, shop, shows, test, useToken } from './serve.ts';

const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent.trim()');
const top = (page: Page) => page.evaluate<number>('scrollY');

test('focus, title and scroll position follow an item that is opened, and come back from it', {
  ...ofSample,
  viewport: { width: 390, height: 844 },
  view: '#/news',
}, async ({ page, t }) => {
  await page.locator('article').nth(7).waitFor();
  assert.equal(await page.title(), 'News · Vitrine');
  const link = page.locator('article h3 a').nth(6);
  await link.scrollIntoViewIfNeeded();
  const title = await link.innerText();
  // Images that arrive move the list until it is left, and when it is back.
  await page.evaluate(
    `addEventListener('click', () => { globalThis.left = scrollY; }, { capture: true, once: true })`,
  );
  // The event of this scrolling comes after the list has been left.
  await page.evaluate(`{ scrollBy(0, 150); document.querySelectorAll('article h3 a')[6].click(); }`);
  await shows(page, 'article h2', title);
  const before = await page.evaluate<number>('left');
  assert.ok(before > 200);
  const arrives = (place: number) =>
    until(t, async () => (await focused(page)) === title && Math.abs((await top(page)) - place) < 100);
  await arrives(0);
  assert.equal(await page.title(), `${title} · News · Vitrine`);
  await page.goBack();
  await link.waitFor();
  await arrives(before);
  assert.equal(await page.title(), 'News · Vitrine');
  await page.goForward();
  await page.getByText('Back to the list').click();
  await until(t, async () => (await focused(page)) === title);
});

test('Tab leads to the content, and stays where pages turn', { ...ofSample, view: '#/now' }, async ({
  page,
}) => {
  await page.locator('.ranking li').nth(9).waitFor();
  await page.keyboard.press('Tab');
  assert.equal(await focused(page), 'Skip to the content');
  assert.equal(await page.evaluate('getComputedStyle(document.activeElement).outlineStyle'), 'solid');
  await page.keyboard.press('Enter');
  assert.equal(await page.evaluate('document.activeElement.id'), 'main');
  await page.getByRole('link', { name: 'News', exact: true }).focus();
  await page.keyboard.press('Enter');
  await page.getByRole('button', { name: 'Next' }).focus();
  await page.keyboard.press('Enter');
  await page.getByText('Page 2 of').waitFor();
  assert.equal(await focused(page), 'Next');
});

/** Sums the layout shifts of a page, and those that no click or key explains. */
const WATCH = `globalThis.shift = { any: 0, unexplained: 0 };
  new PerformanceObserver(list => {
    for (const { value, hadRecentInput } of list.getEntries()) {
      shift.any += value;
      if (!hadRecentInput) shift.unexplained += value;
    }
  }).observe({ type: 'layout-shift', buffered: true });`;

for (const width of [1280, 390])
  test(`nothing moves by itself while a view or the outcome of a drop arrives, and a late view says so, at ${width} px`, {
    ...ofSample,
    viewport: { width, height: 844 },
  }, async ({ page, address }) => {
    await page.addInitScript(WATCH);
    for (const [view, last] of Object.entries({
      ...{ now: '.ranking li', prices: '.matrix td', news: 'article', 'news?item=1': '.content p' },
      ...{ rows: '.rows td', history: '#token', try: '#files' },
    })) {
      await page.goto('about:blank');
      await page.goto(`${address}#/${view}`);
      await page.locator(last).first().waitFor();
      await page.locator('footer').waitFor();
      const shift = await page.evaluate<number>('shift.unexplained');
      assert.ok(shift <= 0.1, `${view} moves by ${shift}`);
    }
    await useToken(page);
    await goTo(page, 'Now');
    await page.locator('.ranking').waitFor();
    await page.evaluate('{ shift.any = 0; }');
    await drop(page, { 'prices.csv': prices });
    await page.locator('.result .outcome').waitFor();
    const shift = await page.evaluate<number>('shift.any');
    assert.ok(shift <= 0.05, `dropping on Now moves the page by ${shift}`);
    let release = () => {};
    const late = new Promise<void>(resolve => (release = resolve));
    await page.route(/overview\/prices/, async route => {
      await late;
      await route.continue();
    });
    await goTo(page, 'Prices');
    await shows(page, 'main [role=status]', 'Loading');
    release();
    await page.locator('.matrix').waitFor();
  });

const lost = newsItems(45, () => ({
  ...{ title: 'With a long title '.repeat(5), content: 'A text that fills its lines. '.repeat(12) },
  img: 'lost.png',
}));

test('nothing moves on a phone because images do not load', {
  files: shopWith({ 'news.json': lost }),
  viewport: { width: 390, height: 844 },
}, async ({ page, address, faults }) => {
  await page.addInitScript(WATCH);
  await page.goto('about:blank');
  const refused = page.waitForResponse(/lost\.png/);
  await page.goto(`${address}#/news`);
  await refused;
  await page.locator('footer').waitFor();
  await page.evaluate('new Promise(resolve => requestAnimationFrame(() => requestAnimationFrame(resolve)))');
  const shift = await page.evaluate<number>('shift.unexplained');
  assert.ok(shift <= 0.05, `the news move by ${shift}`);
  assert.match(faults.splice(0).join(), /404/);
});

const markdown = '---\ncreate_time: 2024-01-05\n---\n# Table\n\n| a | b |\n|:-:|--:|\n| 1 | 2 |\n';

test('dragged files see where to drop, tables are aligned, and versions, times and problems are whole on a phone', {
  files: shopWith({ 'news.json': null, 'news/9-table.md': markdown }),
  viewport: { width: 390, height: 844 },
}, async ({ page, address, save }) => {
  await shows(page, '.outcome h2', 'All files are live.');
  const drag = (type: string) =>
    page.evaluate(`document.body.dispatchEvent(new DragEvent('${type}', { bubbles: true }))`);
  const place = page.getByText('Drop the files here');
  assert.equal(await place.isVisible(), false);
  await drag('dragover');
  await place.waitFor();
  await drag('dragleave');
  await place.waitFor({ state: 'hidden' });

  // The visit fails if the policy of the page blocks a style.
  await page.goto(`${address}#/news?item=9`);
  await page.locator('.content td').nth(1).waitFor();
  const aligned = await page.evaluate(
    `[...document.querySelectorAll('.content :is(th, td)')].map(cell => getComputedStyle(cell).textAlign)`,
  );
  assert.deepEqual(aligned, ['center', 'right', 'center', 'right']);

  await save({ 'prices.csv': prices.replace('19.99', '18.99') });
  await useToken(page);
  await page.locator('.versions tbody tr').nth(1).waitFor();
  const facts = page.locator('.versions :is(code, time)');
  const lines = await facts.evaluateAll(all => all.map(one => one.getClientRects().length));
  assert.deepEqual(lines, [1, 1, 1, 1]);

  await save({ 'prices.csv': prices.replace('105,1,12', '101,1,12') });
  await goTo(page, 'Now');
  await page.getByRole('region', { name: 'Problems' }).waitFor();
  const style = `getComputedStyle(document.querySelector('.problems .bounded'))`;
  assert.equal(await page.evaluate(`${style}.maxHeight`), 'none');
});

const skip = skipWithout('chromium');
testOfNode('the page works as a plugin below a prefix, also without its slash', { skip }, async t => {
  const host = Fastify({ pluginTimeout: 0 });
  const dir = await writeFiles(t, shop);
  afterTest(t, () => host.close());
  host.register(vitrine, { prefix: '/a/shop', catalogDir: dir, imagesDir: dir, stateDir: dir });
  await visit(`${await host.listen({ port: 0, host: '127.0.0.1' })}/a/shop?b=/c`, async ({ page }) => {
    await goTo(page, 'News');
    await page.getByRole('heading', { name: 'Servers restart' }).waitFor();
    await goTo(page, 'Prices');
    await page.getByRole('rowheader', { name: 'Tiny' }).waitFor();
  });
});

test('without it, the page asks for JavaScript', { javaScriptEnabled: false }, async ({ page, address }) => {
  assert.match(await page.locator('noscript').innerText(), /^This page needs JavaScript/);
  for (const name of ['health', 'overview']) {
    await page.goto(address);
    await page.getByRole('link', { name, exact: true }).click();
    assert.match(await page.locator('body').innerText(), /^{"success":true/);
  }
});

test('the docs page loads nothing from elsewhere, and sends the requests that people try', {
  ...{ files: {}, settings: { ...sample, basePath: '/shop' } },
  view: 'shop/documentation',
}, async ({ page, requests }) => {
  await page.locator('.opblock').nth(10).waitFor();
  await page.locator('#operations-Configurations-getPrice').click();
  await page.getByRole('button', { name: 'Try it out' }).click();
  await page.getByRole('button', { name: 'Execute' }).click();
  await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
  assert.match(await page.locator('.live-responses-table').innerText(), /"price": 19\.9/);
  assert.ok(requests.some(url => url.endsWith('/shop/documentation/json')));
  assert.ok(requests.some(url => url.includes('/shop/api/recommend-config/price?product_id=1')));
});
