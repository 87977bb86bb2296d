import assert from 'node:assert/strict';
import { utimes } from 'node:fs/promises';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import { shopWith } from '../support/catalogs.ts';
import { until } from '../support/until.ts';
import {
  drop,
  fewPrices,
  goTo,
  OUTCOME,
  prices,
  shop,
  shows,
  TOKEN,
  test,
  textsOf,
  useToken,
} from './serve.ts';

/** Clicks a button that asks once more. */
async function confirm(page: Page, name: string | RegExp): Promise<void> {
  await page.getByRole('button', { name }).click();
  await page.getByRole('button', { name: 'Click again to do it' }).click();
}

test('without the token, the history says how to roll back, and asks nothing', { view: '#/history' }, async ({
  page,
  faults,
  requests,
}) => {
  await shows(page, 'main', "'vitrine rollback VERSION'");
  assert.ok(!requests.some(url => url.includes('/history')));
  await useToken(page, 'another');
  await page.getByText('The service does not know this token').waitFor();
  assert.equal(await page.locator('#away').textContent(), '');
  for (const fault of faults.splice(0)) assert.match(fault, /status of 404/);
});

test('with the token, people roll back, load the files again and publish', async ({
  page,
  settings,
  save,
}) => {
  await shows(page, OUTCOME, 'All files are live.');
  await save({ 'prices.csv': prices.replace('19.99', '18.99') });
  await shows(page, OUTCOME, '1 price changed.');
  await useToken(page);
  await shows(page, '.versions tbody tr:first-child', /live.*1 price changed/);
  await confirm(page, /^Roll back to /);
  await page.getByText('Done: the service follows').waitFor();
  await shows(page, '.versions tr', 'live, pinned');
  await goTo(page, 'Prices');
  await shows(page, '.matrix', '19.99');
  await goTo(page, 'Now');
  await shows(page, OUTCOME, /^Pinned to version \w+ since .*: saves do not go live\.$/);
  // A file system may know times to the second.
  const saved = new Date(Date.now() + 2_000);
  await save({ 'prices.csv': prices.replace('19.99', '17.99') });
  await utimes(join(settings.catalogDir, 'prices.csv'), saved, saved);
  await shows(page, OUTCOME, /^What was saved at .* is waiting: version \w+ is pinned\.$/);
  await confirm(page, 'Load the files again');
  await shows(page, OUTCOME, '1 price changed.');

  await save({ 'prices.csv': fewPrices });
  await shows(page, OUTCOME, /^Held back: /);
  await page.getByRole('button', { name: 'Show what is held back' }).click();
  await goTo(page, 'Prices');
  await shows(page, '.changed', 'gone');
  await page.getByRole('button', { name: 'Back to what is live' }).click();
  await shows(page, '.matrix', '17.99');
  await goTo(page, 'Now');
  await confirm(page, 'Let it go live');
  await shows(page, OUTCOME, /prices removed/);
  assert.match(await page.evaluate('document.activeElement.textContent'), /prices removed/);
  assert.match(await page.title(), /prices removed.* · Now · Vitrine$/);
  await page.getByText('5 changes').waitFor();
  await page.emulateMedia({ media: 'print' });
  const list = page.getByRole('region', { name: /changes$/ });
  assert.ok(await list.evaluate(({ scrollHeight, clientHeight }) => scrollHeight === clientHeight));
});

test('dropped files are checked once the token is there, chosen ones then', async ({ page, services }) => {
  await page.locator('.ranking').waitFor();
  await drop(page, { 'prices.csv': prices.replace('19.99', '18.99') });
  await page.getByText('The service checks files for people with the token').waitFor();
  assert.match(page.url(), /#\/try$/);
  await page.getByLabel('Token').fill(TOKEN);
  await page.getByRole('button', { name: 'Use it' }).click();
  await shows(page, '.outcome h3', /^These files would go live: 1 price changed\.$/);
  await page.locator('.changes td', { hasText: 'price: 19.99 → 18.99 (-5%)' }).waitFor();

  const buffer = Buffer.from(prices.replace('19.99', '"18,99"'));
  await page.getByLabel('Files to check').setInputFiles({ name: 'prices.csv', mimeType: 'text/csv', buffer });
  await shows(page, '.outcome h3', /^These files would be refused: 1 error\.$/);
  await shows(page, '.cause', /E5 in prices\.csv.*write 18\.99/);

  await drop(page, { 'prices.csv': fewPrices });
  await shows(page, '.outcome h3', /^These files would be held back: /);
  await page.locator('.outcome li', { hasText: 'prices would disappear' }).waitFor();
  assert.equal(services.catalog.status().held, undefined);
});

test('a dropped file that is gone by then has not arrived', async ({ page }) => {
  await useToken(page);
  await page.evaluate(`{
    const file = { value: (_, fail) => fail(new DOMException('gone', 'NotFoundError')) };
    DataTransferItem.prototype.webkitGetAsEntry = () => Object.create(FileSystemFileEntry.prototype, { file });
  }`);
  await drop(page, { 'prices.csv': prices });
  await shows(page, '.error', 'The files have not arrived');
});

test('a check waits for the one before it', async ({ page, faults }) => {
  await page.evaluate(`sessionStorage.setItem('vitrine-token', '${TOKEN}')`);
  await page.reload();
  await page.route('**/check', route =>
    route.fulfill({
      ...{ status: 503, contentType: 'application/json' },
      body: JSON.stringify({ success: false, message: 'busy', data: { error: 'CHECK_BUSY' } }),
    }),
  );
  const asked = page.waitForRequest('**/check');
  await drop(page, { 'prices.csv': prices });
  await asked;
  await page.unroute('**/check');
  await shows(page, '.outcome h3', 'These files match what is already live.');
  for (const fault of faults.splice(0)) assert.match(fault, /status of 503/);
});

const row = { content: 'text', create_time: '2024-01-05' };
const files = shopWith({
  'later.png': shop['launch.png'] ?? null,
  'news.json': [
    { ...row, id: 1, title: 'Of always' },
    { ...row, id: 2, title: 'Of later', img: 'later.png', publish_time: '2199-01-01 09:00:00' },
    { ...row, id: 3, title: 'Until later', unpublish_time: '2198-01-01' },
    { ...row, id: 4, title: 'Of yesterday', unpublish_time: '2024-02-01' },
    { ...row, id: 5, title: 'Secret', hidden: true, publish_time: '2197-01-01' },
  ],
});

const at = '2199-01-01T09:00';

test('with the token, the page shows the site as of another time, in all views, with its images', {
  files,
  settings: { basePath: '/shop' },
  view: 'shop/#/news',
}, async ({ page, requests, t, address, ask }) => {
  await page.getByRole('status').getByText('2 items').waitFor();
  assert.equal(await page.getByLabel('Show the site as of').count(), 0);
  await useToken(page);
  await goTo(page, 'News');
  const events = page.locator('.calendar li');
  await events.nth(1).waitFor();
  assert.match(String(await events.nth(0).textContent()), /2198.*disappearsUntil later/);
  assert.match(String(await events.nth(1).textContent()), /2199.*appearsOf later/);
  assert.equal(await events.count(), 2);

  await page.getByLabel('Show the site as of').fill(at);
  await page.getByText('This is a preview').waitFor();
  await page.locator('article', { hasText: 'Of later' }).waitFor();
  assert.deepEqual((await textsOf(page, 'article h3')).toSorted(), ['Of always', 'Of later']);
  assert.match(page.url(), /at=2199-01-01T09%3A00/);
  await goTo(page, 'Rows');
  await page.getByLabel('Catalog', { exact: true }).selectOption('News');
  await page.reload();
  await page.locator('tr', { hasText: 'Of later' }).waitFor();
  assert.equal(await page.locator('tbody tr').count(), 2);
  await page.getByRole('button', { name: 'Back to what is live' }).click();
  await page.getByRole('status').getByText('2 rows').waitFor();

  await page.goto(`${address}shop/#/news?at=${at}`);
  const image = page.locator('article', { hasText: 'Of later' }).locator('img');
  await image.waitFor();
  const width = () => page.evaluate(`document.querySelector('article img').naturalWidth`);
  await until(t, async () => (await width()) === 1);
  assert.ok(requests.some(url => url.endsWith(`/preview/${encodeURIComponent(at)}/images/later.png`)));
  assert.equal((await ask('/shop/images/later.png')).status, 404);

  await page.goto(`${address}shop/#/history`);
  const previewed = async () => (await page.request.get(`${address}shop/preview/${at}/api/news`)).status();
  assert.equal(await previewed(), 200);
  await page.getByRole('button', { name: 'Forget the token' }).click();
  await page.getByLabel('Token').waitFor();
  assert.equal(await previewed(), 404);
  assert.deepEqual(await page.context().cookies(), []);
});
