import assert from 'node:assert/strict';
import { newsItems } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { until } from '../support/until.ts';
import { goTo, OUTCOME, prices, shop, shows, test, textsOf, useToken } from './serve.ts';

test("an editor's mistake appears with its place and remedy until it is fixed", async ({ page, save }) => {
  await useToken(page);
  await goTo(page, 'Now');
  await shows(page, OUTCOME, /^All files are live\.$/);
  assert.equal(await page.locator('.problems').count(), 0);

  const twice = prices.replace('19.99', '"18,99"').replace('105,1,12', '101,1,12');
  await save({ 'prices.csv': twice });
  await shows(page, OUTCOME, /^Not live yet: 2 errors\. Waiting/);
  await shows(page, '.problems h2', /^2 errors$/);
  await shows(page, '.cause', /^error DECIMAL_SIGN.*E5 in prices\.csvprice "18,99" .*: write 18\.99/);
  await shows(page, '.cause', /^error DUPLICATE_ID.*A6 in prices\.csv and A2 in prices\.csv/);

  await save({ 'prices.csv': prices.replaceAll('.', '_') });
  await shows(page, '.problems h2', /^6 errors$/);
  await shows(page, '.places', 'E2 to E7 in prices.csv, 6 cells');

  await save({ 'prices.csv': prices.replace('19.99', '18.99') });
  await shows(page, OUTCOME, /^1 price changed\.$/);
  assert.equal(await page.locator('.problems').count(), 0);
  await shows(page, '.changes td', 'price: 19.99 → 18.99 (-5%)');
});

/** What `/health` says of a change with 100 problems of one kind. */
const problems = Array.from({ length: 100 }, (_, index) => ({
  severity: 'error',
  code: 'BAD_ID',
  file: 'news.json',
  line: 1 + index,
  message: `write another one than ${index}`,
}));

test('problems of one kind take a few lines, and the page says how far files are read', async ({ page }) => {
  await shows(page, OUTCOME, 'All files are live.');
  let loading: object | null = null;
  await page.route('**/health', async route => {
    const response = await route.fetch();
    const body = await response.json();
    Object.assign(body.data, { status: 'degraded', reasons: ['the last change was refused'], loading });
    Object.assign(body.data.last_attempt, { outcome: 'failed', errors: 101, problems });
    await route.fulfill({ response, json: body });
  });
  await shows(page, OUTCOME, /^Not live: 101 errors\. Visitors still see the catalogs of \d/);
  await shows(page, '.outcome li', 'the last change was refused');
  await shows(page, '.problems', '1 more problem not shown');
  assert.equal(await page.locator('.cause').count(), 1);
  assert.equal(await page.locator('.places code:visible').count(), 3);
  await page.getByText('97 more').click();
  assert.equal(await page.locator('.places code:visible').count(), 100);
  loading = { rows: 0, percent: 0 };
  await shows(page, OUTCOME, 'waiting until they are complete');
  loading = { rows: 60_000, percent: 60 };
  await shows(page, OUTCOME, /^Reading the files, 60%\.$/);
});

const news = newsItems(30, index => ({ title: `Item ${index + 1} of old` }));

test('a change does not disturb typing, focus, an open list or the scroll position', {
  files: { ...shop, 'news.json': news },
  viewport: { width: 800, height: 300 },
  view: '#/news',
}, async ({ page, save }) => {
  await page.getByLabel('Search').fill('o');
  await page.getByRole('status').getByText('30 items').waitFor();
  await page.getByLabel('Search').evaluate(input => input.setSelectionRange(0, 1));
  await page.evaluate('document.activeElement.scrollIntoView({ block: "center", behavior: "instant" })');
  const kept = page.locator('article').filter({ hasText: 'Item 30 of' });
  const [before, place] = [await kept.elementHandle(), await page.getByLabel('Search').boundingBox()];
  const more = { id: 31, title: 'Of today', content: 'x', create_time: 1_800_000_000, read: 5 };
  await save({ 'news.json': [...news, more] });
  await page.getByRole('status').getByText('31 items').waitFor();
  assert.equal(await kept.evaluate((now, before) => now === before, before), true);
  assert.equal(await page.evaluate('document.activeElement.id'), 'keyword');
  const field = page.getByLabel('Search');
  const typed = await field.evaluate(input => [input.value, input.selectionStart, input.selectionEnd]);
  assert.deepEqual(typed, ['o', 0, 1]);
  assert.ok(Math.abs(Number((await field.boundingBox())?.y) - Number(place?.y)) < 1);
});

test('it says since when the service is away, and recovers', async ({ page, faults, t, address, app }) => {
  await shows(page, '.ranking', '100 reads');
  assert.equal(await page.getByRole('alert').textContent(), '');
  await app.close();
  await shows(page, '[role=alert]', /^The service has not answered since \d+:\d\d:\d\d/);
  await shows(page, '.ranking', '100 reads');
  const told = await page.getByRole('alert').textContent();
  await page.waitForEvent('requestfailed');
  assert.equal(await page.getByRole('alert').textContent(), told);

  const next = await startService(t, { ...shop, 'prices.csv': prices.replace('19.99', '17.99') });
  await next.app.listen({ port: Number(new URL(address).port), host: '127.0.0.1' });
  await shows(page, OUTCOME, /^All files are live/);
  await page.getByRole('link', { name: 'Prices', exact: true }).click();
  await shows(page, '.matrix', '17.99');
  assert.equal(await page.getByRole('alert').textContent(), '');
  // The browser itself says in the console what the page says.
  for (const fault of faults.splice(0)) assert.match(fault, /^Failed to load resource: (net::ERR_|.* 503 )/);
});

test('without catalogs it says how to begin until they arrive', { files: {} }, async ({ page, save }) => {
  await shows(page, '.outcome p', 'Nothing is live yet.');
  await shows(page, '.outcome li', 'No catalogs have been loaded yet');
  await shows(page, '.steps', /products, configurations, prices and news.*vitrine template FOLDER/s);
  await goTo(page, 'Prices');
  await shows(page, 'main', 'Nothing is live yet.');
  await goTo(page, 'Now');
  await save({ ...shop, 'launch.png': null, 'news.json': [] });
  await shows(page, OUTCOME, 'All files are live.');
  await shows(page, 'main', 'No news has been read yet.');
  assert.equal(await page.locator('.steps').count(), 0);
});

test('counts are updated, and a hidden page sends no requests', async ({ page, requests, t, ask }) => {
  await page.clock.install();
  await page.reload();
  await shows(page, '.ranking', '100 reads');
  await ask('/api/news/1');
  await until(t, async () => {
    await page.clock.runFor(2_000);
    return (await textsOf(page, '.ranking .read'))[0] === '101 reads';
  });

  const hide = (hidden: boolean) =>
    page.evaluate(
      `Object.defineProperty(document, 'hidden', { value: ${hidden}, configurable: true });
         document.dispatchEvent(new Event('visibilitychange'));`,
    );
  await hide(true);
  const looks = () => requests.filter(url => url.endsWith('/health')).length;
  const before = looks();
  await page.clock.runFor(60_000);
  assert.equal(looks(), before);
  const asked = page.waitForRequest('**/health');
  await hide(false);
  await asked;
});
