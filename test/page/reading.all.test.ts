import assert from 'node:assert/strict';
import type { Page } from 'playwright-core';
import { isHtml, paragraphsOf } from '../../src/snapshot/html-text.ts';
import { newsItems, shopWith } from '../support/catalogs.ts';
import { until } from '../support/until.ts';
import { goTo, ofSample, prices, test } from './serve.ts';

const titles = (page: Page) => page.locator('article h3').allTextContents();
/** Resolves when the list says how many things it has. */
const counts = (page: Page, text: string) =>
  page.getByRole('status').getByText(text, { exact: true }).waitFor();

test('prices are a table in which changes are marked', { view: '#/prices' }, async ({
  page,
  address,
  save,
}) => {
  await page.getByRole('table', { name: 'Prices' }).waitFor();
  const row = (name: string) =>
    page.locator('tbody tr').filter({ hasText: name }).locator('td').allTextContents();
  const headings = await page.locator('thead th').allTextContents();
  assert.deepEqual(headings, ['Configuration', 'Hourly', 'Monthly', 'Quarterly', 'Yearly']);
  assert.deepEqual(await row('Small'), ['0.10', '19.99', '99,999,999.9999', '455.47']);
  const none = '–no price';
  assert.deepEqual(await row('Large'), ['0.00595', none, none, none]);
  assert.equal(await page.locator('tbody tr').filter({ hasText: 'Secret' }).count(), 0);
  assert.equal(await page.locator('tbody small').nth(0).textContent(), '0.5 CPUs, 512 MB');

  await page.getByLabel('Product').selectOption('香港云服务器');
  await page.getByRole('rowheader', { name: 'Hong Kong' }).waitFor();
  assert.match(page.url(), /product=2/);
  await page.getByLabel('Product').selectOption('Sold out');
  await page.getByRole('status').getByText('Nothing found.').waitFor();

  await page.goto(`${address}#/prices`);
  await page.getByRole('rowheader', { name: 'Small' }).waitFor();
  assert.equal(await page.locator('.changed').count(), 0);
  const lost = prices.replace('19.99', '21.989').replace('105,1,12,4,9.90\n', '');
  await save({ 'prices.csv': `${lost}109,1,13,4,5\n` });
  const texts = page.locator('.changed');
  await texts.nth(2).waitFor();
  assert.deepEqual(await texts.allTextContents(), ['gone', '21.989before 19.99 (+10%)', '5.00new']);

  await goTo(page, 'Rows');
  await page.getByLabel('Catalog', { exact: true }).selectOption('Prices');
  await page.locator('.rows tbody tr', { hasText: '21.989before 19.99' }).waitFor();
  await page.getByLabel('Text in the row').fill('small month');
  await counts(page, '1 row');
  await page.getByLabel('Text in the row').fill('');
  await page.getByLabel('Show').selectOption('changed by the last version');
  await counts(page, '2 rows');
  assert.match(page.url(), /#\/rows\?catalog=prices&only=changed$/);
  await page.getByLabel('Show').selectOption('with problems');
  await counts(page, 'Nothing found.');
  await page.goBack();
  await counts(page, '2 rows');
});

test('numbers are written as the reader writes them, and all else in English', {
  locale: 'de-DE',
  view: '#/prices',
}, async ({ page }) => {
  await page.locator('.matrix td', { hasText: '99.999.999,9999' }).waitFor();
  await page.getByText('Configuration', { exact: true }).waitFor();
  assert.equal(await page.locator('html').getAttribute('lang'), 'en');
});

test('news are searched, filtered by category and paged; an address leads to the same view, and back and forward work', {
  ...ofSample,
  view: '#/news?keyword=server&type=1&page=1',
}, async ({ page, address, ask }) => {
  const totalOf = async (query: string) => (await ask(`/api/news${query}`)).data.pagination.total;
  const found = `${await totalOf('?keyword=server&type_id=1')} items`;
  await counts(page, found);
  assert.equal(await page.getByLabel('Search').inputValue(), 'server');
  assert.equal(await page.getByLabel('Category').inputValue(), '1');
  const [first = ''] = await titles(page);
  await page.getByRole('link', { name: first }).click();
  await page.getByText('Back to the list').waitFor();
  await page.goBack();
  await counts(page, found);
  await page.goForward();
  await page.reload();
  await page.getByRole('heading', { name: first }).waitFor();
  await page.getByText('Back to the list').click();
  await counts(page, found);
  await page.goto(`${address}#/nothing?a=b`);
  await page.getByRole('heading', { name: 'Most read' }).waitFor();
  await page.goto(`${address}#/news?keyword=server&page=99`);
  await page.locator('article').first().waitFor();

  await page.goto(`${address}#/news`);
  const total = await totalOf('');
  await counts(page, `${total} items`);
  await page.getByRole('button', { name: 'Next' }).click();
  await page.getByText(`Page 2 of ${Math.ceil(total / 8)}`).waitFor();
  assert.match(page.url(), /#\/news\?page=2$/);
  await page.getByLabel('Search').fill('meridian opens');
  await counts(page, '1 item');
  assert.match(page.url(), /#\/news\?keyword=meridian\+opens$/);
  assert.equal(await page.getByRole('navigation', { name: 'Pages' }).count(), 0);
  await page.getByLabel('Category').selectOption('Maintenance');
  await counts(page, 'No news.');
  await page.getByLabel('Search').fill('');
  await counts(page, '5 items');
  assert.ok((await page.locator('.facts').allTextContents()).every(text => text.includes('Maintenance')));
});

test('an item is shown as visitors see it, with its line breaks and images, and is not read by it', {
  ...ofSample,
  locale: 'en-GB',
  view: '#/news?item=1',
}, async ({ page, requests, ask, t }) => {
  await page.locator('.content strong', { hasText: 'Cloud Server' }).waitFor();
  assert.match(String(await page.locator('.facts').textContent()), /4 November 2024.*Announcements/);
  const isLoaded = 'document.querySelector("article img").naturalWidth > 0 || undefined';
  await until(t, async () => page.evaluate(isLoaded));
  assert.ok(!requests.some(url => /\/api\/news\//.test(url)), 'it has read a news item');
  assert.equal((await ask('/health')).data.reads.unsaved, 0);
  const link = page.getByRole('link', { name: 'www.example.com/prices' });
  assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
});

const news = [
  { id: 1, title: 'Plain', content: 'a < b\nc & d', create_time: 1_700_000_000 },
  { id: 2, title: 'مرحبا', content: 'مرحبا بكم', create_time: 1_700_000_001 },
  { id: 3, title: 'Of many', content: 'x\n\n'.repeat(150_000), create_time: 1_600_000_000 },
];

test('plain text keeps its line breaks, however many, and a text in another direction has it', {
  files: shopWith({ 'news.json': news }),
  view: '#/news',
}, async ({ page }) => {
  await counts(page, '3 items');
  const directions = await page.evaluate(
    '[...document.querySelectorAll("article")].map(one => getComputedStyle(one).direction)',
  );
  assert.deepEqual(directions, ['rtl', 'ltr', 'ltr']);
  await page.getByRole('link', { name: 'Plain' }).click();
  assert.equal(await page.locator('.plain').innerText(), 'a < b\nc & d');
  await page.goBack();
  await page.getByRole('link', { name: 'Of many' }).click();
  await page.locator('.plain', { hasText: 'x' }).waitFor();
  assert.ok(Number(await page.evaluate('document.documentElement.scrollHeight / innerHeight')) < 4);
});

const contents = [
  ...'<p>a|<my-tag>|<o:p>|<SVG>|<!doctype html>|<![CDATA[a]]>|<!-- -->|a < b|List<String>|AT&T;'.split('|'),
  ...['&#x4E2D;', '&notit; &copy', '&notit;\n&semi;', '\r\n&a;'],
];

test('a content is HTML for the page where it is for the service', {
  files: shopWith({ 'news.json': newsItems(contents.length, index => ({ content: contents[index] })) }),
}, async ({ page, address }) => {
  const shown: string[] = [];
  for (const id of contents.keys()) {
    await page.goto(`${address}#/news?item=${id + 1}`);
    await page.locator('.facts', { hasText: `id ${id + 1}` }).waitFor();
    if (await page.locator('.content').count()) shown.push(contents[id] ?? '');
  }
  assert.deepEqual(shown, contents.filter(isHtml));
});

const marked = [
  '<p>a <b>b</b></p><ul><li>c<li>d</ul>',
  'a<script>b</script>c<br>d<ruby>e<rp>(</rp><rt>f</ruby>',
  '<TABLE><tr><td>a<td>b<tr><td>c</TABLE>&amp;<figure><figcaption>d</figcaption></figure>',
];

test('the beginning of an item has the lines that its text has for the service', {
  files: shopWith({ 'news.json': newsItems(marked.length, index => ({ content: marked[index] })) }),
  view: '#/news',
}, async ({ page }) => {
  await counts(page, '3 items');
  const expected = marked.map(content => paragraphsOf(content).join('\n'));
  assert.deepEqual((await page.locator('.lead').allTextContents()).reverse(), expected);
});

test('a late response to an earlier query is not shown', { view: '#/news' }, async ({ page }) => {
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
