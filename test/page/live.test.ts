import assert from 'node:assert/strict';
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { visit } from '../support/browser.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { serve, shop } from '../support/page/serve.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('chromium');

/** Resolves when an element has a text. */
const shows = (page: Page, selector: string, text: string | RegExp) =>
  page.locator(selector).filter({ hasText: text }).first().waitFor();
const textsOf = (page: Page, selector: string) => page.locator(selector).allTextContents();

const prices = String(shop['prices.csv']);

test("an editor's mistake appears by itself, with its position and remedy, and disappears when it is fixed", {
  skip,
}, async t => {
  const { address, settings } = await serve(t);
  const path = join(settings.catalogDir, 'prices.csv');
  await visit(address, async ({ page }) => {
    await shows(page, '#outcome', /^Loaded on .* without errors\.$/);
    assert.equal(await page.locator('#problems').isVisible(), false);

    const twice = prices.replace('19.99', '"18,99"').replace('105,1,12', '101,1,12');
    await writeFile(path, twice);
    await shows(page, '#outcome', /^Waiting for the rest of a change/);
    await shows(page, '#problems-caption', /^2 errors$/);
    assert.deepEqual(await textsOf(page, '#problem-rows tr:nth-child(1) td'), [
      'error',
      'E5 in prices.csv and ',
      'price "18,99" has a decimal comma, but this column has decimal points: write 18.99',
      'DECIMAL_SIGN',
    ]);
    assert.equal(await page.getByText('and A2 in prices.csv').isVisible(), true);
    assert.match(String(await page.locator('#configuration-cards').textContent()), /19\.99/);

    await writeFile(path, prices.replaceAll('.', '_'));
    await shows(page, '#problems-caption', /^6 errors$/);
    await shows(page, '#problem-rows .place', 'E2 to E7 in prices.csv, 6 cells');

    await writeFile(path, prices.replace('19.99', '18.99'));
    await shows(page, '#outcome', /^Loaded on .* without errors: 1 price changed\.$/);
    await shows(page, '#configuration-cards', '18.99');
    assert.equal(await page.locator('#problems').isVisible(), false);
  });
});

test('a refused change makes the page say so, why the service is degraded, and how far the next one is read', {
  skip,
}, async t => {
  const { address } = await serve(t);
  await visit(address, async ({ page }) => {
    await shows(page, '#outcome', /^Loaded on/);
    let loading = { rows: 0, percent: 0 };
    await page.route('**/health', async route => {
      const response = await route.fetch();
      const body = await response.json();
      Object.assign(body.data, { status: 'degraded', reasons: ['the last change was refused'] });
      body.data.last_attempt = {
        ...body.data.last_attempt,
        outcome: 'failed',
        errors: 101,
        problems: problems(100),
      };
      body.data.loading = loading;
      await route.fulfill({ response, json: body });
    });
    await shows(page, '#outcome', /^Rejected on .* waiting until they are complete\.$/);
    loading = { rows: 60_000, percent: 60 };
    await shows(page, '#outcome', /^Rejected on .* Now reading the files, 60 %\.$/);
    await shows(page, '#reasons', 'the last change was refused');
    await shows(page, '#problems-caption', '101 errors; 1 not shown');
    assert.equal(await page.locator('#problem-rows tr').count(), 100);
  });
});

test('a change that is held back is shown with what would happen, and how to let it go live', {
  skip,
}, async t => {
  const { address, settings } = await serve(t);
  await visit(address, async ({ page }) => {
    await shows(page, '#outcome', /^Loaded on/);
    await rm(join(settings.catalogDir, 'news.json'));
    await shows(page, '#outcome', /^Held back on .* it waits until somebody confirms it\.$/);
    const [reason, remedy, ...others] = await textsOf(page, '#reasons li');
    assert.equal(reason, 'news.json is gone: put it back');
    assert.match(
      String(remedy),
      /^version \w{12} is held back: to let it go live, put an empty file named publish /,
    );
    assert.deepEqual(others, []);
    assert.equal(await page.locator('#news article').first().isVisible(), true);
    await writeFile(join(settings.catalogDir, 'publish'), '');
    await shows(page, '#outcome', /^Loaded on .* without errors: \d+ news items removed/);
    assert.equal(await page.locator('#reasons').isVisible(), false);
  });
});

const problems = (count: number) =>
  Array.from({ length: count }, (_, index) => ({
    severity: 'error',
    code: 'BAD_ID',
    file: 'news.json',
    line: 1 + Math.floor(index / 2),
    message: 'write another one',
  }));

test('a change does not disturb typing, focus, an open item or the scroll position', {
  skip,
}, async t => {
  const long = { id: 7, title: 'Long', content: '<p>one</p><p>two</p>', create_time: '2025-01-01' };
  const news = shop['news.json'] as object[];
  const { address, settings } = await serve(t, { ...shop, 'news.json': [...news, long] });
  await visit(
    address,
    async ({ page }) => {
      const first = page.locator('#news article').first();
      await first.getByText('Read more').click();
      await page.getByLabel('Product').selectOption('香港云服务器');
      await page.getByLabel('Search').fill('o');
      await shows(page, '#news-count', '4 items');
      await page.getByLabel('Search').evaluate(input => input.setSelectionRange(0, 1));
      await page.evaluate('document.activeElement.scrollIntoView({ block: "center", behavior: "instant" })');
      const [firstBefore, searchBefore] = await Promise.all([
        first.elementHandle(),
        page.getByLabel('Search').boundingBox(),
      ]);

      const more = { id: 8, title: 'Of today', content: 'x', create_time: '2025-02-01' };
      await writeFile(
        join(settings.catalogDir, 'news.json'),
        JSON.stringify([...news, { ...long, read: 5 }, more]),
      );
      await shows(page, '#news-count', '5 items');
      await shows(page, '#news article .read', '5 reads');
      const moved = page.locator('#news article').filter({ hasText: 'Long' });
      assert.equal(await moved.evaluate((now, before) => now === before, firstBefore), true);
      assert.equal(await moved.getByText('two').isVisible(), true);
      assert.equal(await page.evaluate('document.activeElement.id'), 'keyword');
      assert.deepEqual(
        await page
          .getByLabel('Search')
          .evaluate(input => [input.value, input.selectionStart, input.selectionEnd]),
        ['o', 0, 1],
      );
      assert.equal(await page.getByLabel('Product').inputValue(), '2');
      const searchNow = await page.getByLabel('Search').boundingBox();
      assert.ok(Math.abs(Number(searchNow?.y) - Number(searchBefore?.y)) < 1);
    },
    { viewport: { width: 800, height: 300 } },
  );
});

test('it says that the service is unreachable, and since when, and recovers by itself', {
  skip,
}, async t => {
  const { address, app } = await serve(t);
  await visit(address, async ({ page, faults }) => {
    await shows(page, '#news-count', '4 items');
    assert.equal(await page.getByRole('alert').textContent(), '');
    await app.close();
    await shows(page, '[role=alert]', /^The service has not answered since \d\d:\d\d:\d\d\./);
    await shows(page, '#news-count', '4 items');
    const told = await page.getByRole('alert').textContent();
    await page.waitForEvent('requestfailed');
    assert.equal(await page.getByRole('alert').textContent(), told);

    const next = await startService(t, { ...shop, 'prices.csv': prices.replace('19.99', '17.99') });
    await next.app.listen({ port: Number(new URL(address).port), host: '127.0.0.1' });
    await shows(page, '#configuration-cards', '17.99');
    assert.equal(await page.getByRole('alert').textContent(), '');
    // The browser itself says in the console what the page says.
    for (const fault of faults.splice(0))
      assert.match(fault, /^Failed to load resource: (net::ERR_|.* 503 )/);
  });
});

test('without catalogs it says so, and it shows them when they arrive', { skip }, async t => {
  const root = await writeFiles(t, {});
  const catalogDir = join(root, 'later');
  const { address } = await serve(t, {}, { catalogDir });
  await visit(address, async ({ page }) => {
    await page.clock.install();
    await page.reload();
    for (let look = 0; look < 7; look += 1) {
      const asked = page.waitForRequest('**/health');
      await page.clock.runFor(2_000);
      await asked;
    }
    await page.clock.resume();
    await shows(page, '#version', 'Nothing yet');
    await shows(page, '#reasons', 'no catalogs have been loaded yet');
    await shows(page, '#problem-rows', 'NO_DIRECTORY');
    assert.equal(await page.getByRole('heading', { name: 'Configurations' }).isVisible(), false);
    await writeInto(`${catalogDir}.new`, { ...shop, 'launch.png': null, 'news.json': [] });
    await rename(`${catalogDir}.new`, catalogDir);
    await shows(page, '#configuration-cards', 'Tiny');
    await shows(page, '#news-count', 'No news');
    await shows(page, '#unread', 'No news has been read yet.');
  });
});

test('counts are updated every few seconds, and a hidden page sends no requests', {
  skip,
}, async t => {
  const { address, ask } = await serve(t);
  await visit(address, async ({ page, requests }) => {
    await page.clock.install();
    await page.reload();
    await shows(page, '#most-read-items', '100 reads');
    await ask('/api/news/1');
    const follow = async () => {
      await page.clock.runFor(2_000);
      return (await textsOf(page, '#most-read-items .read'))[0] === '101 reads' ? true : undefined;
    };
    await until(t, follow);

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
});
