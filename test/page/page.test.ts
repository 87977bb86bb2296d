import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import type { Page } from 'playwright-core';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { visit } from '../support/browser.ts';
import { sample, shopWith, writeFiles } from '../support/catalogs.ts';
import { serve, shop } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';

const skip = skipWithout('chromium');

const titles = (page: Page) => page.locator('#news h3').allTextContents();
const count = (page: Page) => page.locator('#news-count');

test('the page shows what is served, and the shop as customers see it', { skip }, async t => {
  const { address, ask } = await serve(t, {}, sample);
  await visit(
    address,
    async ({ page, requests }) => {
      const news = page.locator('#news article');
      await news.nth(9).waitFor();
      const { version } = (await ask('/health')).data.catalogs;
      assert.match(String(await page.locator('#version').textContent()), new RegExp(`${version}.* 351 rows`));
      assert.match(String(await page.locator('#outcome').textContent()), /^Loaded on .* without errors\.$/);
      assert.equal(await page.locator('#file-rows tr').count(), 7);
      assert.match(
        String(await page.locator('#file-rows tr').nth(1).textContent()),
        /configurations\.csv41utf-8, commas/,
      );

      const nano = page.getByRole('listitem').filter({ hasText: 'Nano' });
      assert.equal(await nano.locator('.size').textContent(), '0.5 CPUs, 512 MB');
      assert.deepEqual(await nano.locator('dd').allTextContents(), [
        '0.0044',
        '2.90',
        '8.35',
        '16.01',
        '29.58',
        '73.08',
      ]);
      await page.getByLabel('Product').selectOption('Managed Database');
      await page.getByText('7 configurations').waitFor();
      assert.match(String(await page.locator('#product-description').textContent()), /^PostgreSQL/);

      const { most_read } = (await ask('/overview')).data;
      const [first] = most_read;
      const bars = page.locator('#most-read-items li');
      assert.equal(await bars.count(), 10);
      assert.match(String(await bars.first().textContent()), new RegExp(`${first.title}\\s+9,870 reads`));
      const widths = await bars
        .locator('.bar')
        .evaluateAll(all => all.map(bar => bar.getBoundingClientRect().width));
      const longest = widths[0] ?? 0;
      for (const [place, { read }] of most_read.entries()) {
        assert.ok(Math.abs((widths[place] ?? 0) - (longest * read) / first.read) < 1);
      }
      await page.getByText('vitrine 0.1.0').waitFor();

      await news.locator('img:visible').first().scrollIntoViewIfNeeded();
      const isLoaded = 'document.querySelector("#news img:not([hidden])").naturalWidth > 0 || undefined';
      await until(t, async () => page.evaluate(isLoaded));
      assert.ok(!requests.some(url => /\/api\/news\//.test(url)), 'it has read a news item');
      assert.equal((await ask('/health')).data.reads.unsaved, 0);
    },
    { reducedMotion: 'reduce' },
  );
});

test('news are searched, filtered by category and paged', { skip }, async t => {
  const { address, ask } = await serve(t, {}, sample);
  const { total } = (await ask('/overview/news')).data.pagination;
  const pages = Math.ceil(total / 10);
  await visit(address, async ({ page }) => {
    await count(page)
      .filter({ hasText: `${total} items` })
      .waitFor();
    await page.getByRole('button', { name: 'Next' }).click();
    await page.getByText(`Page 2 of ${pages}`).waitFor();
    await page.getByLabel('Search').fill('meridian opens');
    await count(page)
      .filter({ hasText: /^1 item$/ })
      .waitFor();
    assert.deepEqual(await titles(page), ['Meridian Cloud opens in Frankfurt and Singapore']);
    assert.equal(await page.locator('#news-pages').isVisible(), false);
    await page.getByLabel('Category').selectOption('Maintenance');
    await count(page).filter({ hasText: 'No news' }).waitFor();
    await page.getByLabel('Search').fill('');
    await page.locator('.type', { hasText: 'Maintenance' }).first().waitFor();
    const categories = new Set(await page.locator('#news .type').allTextContents());
    assert.deepEqual([...categories], ['Maintenance']);
  });
});

test('a late response to an earlier query is not shown', { skip }, async t => {
  const { address } = await serve(t);
  await visit(address, async ({ page }) => {
    await count(page).filter({ hasText: '4 items' }).waitFor();
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
    await count(page)
      .filter({ hasText: /^1 item$/ })
      .waitFor();
    const answered = page.waitForResponse(/keyword=open/);
    release();
    await (await answered).finished();
    assert.deepEqual(await titles(page), ['Servers restart']);
  });
});

const ATTACK =
  '<script>pwned=1</script><img src=x onerror="pwned=2"><svg onload="pwned=3"><iframe srcdoc="<script>parent.pwned=4</script>"></iframe><style>*{display:none}</style><a href="javascript:pwned=5">a</a><form action=//a.example><input autofocus onfocus="pwned=6"></form><link rel=stylesheet href=//a.example/a.css><base href=//a.example><meta http-equiv=refresh content="0;url=//a.example">';

test('catalog content is shown as text: none of it runs, loads anything or imitates the page', {
  skip,
}, async t => {
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
      { id: 2, title: 'Plain', content: 'a < b\n\nc & d', create_time: 1_700_000_000 },
    ],
    [`${'x'.repeat(9)}<img src=x onerror=pwned=7>.json`]: '[]',
  });
  const { address } = await serve(t, files);
  await visit(address, async ({ page, requests }) => {
    const article = page.locator('#news article').first();
    await article.waitFor();
    for (const summary of await page.locator('summary').all()) {
      if (await summary.isVisible()) await summary.click();
    }
    assert.equal(await page.evaluate('typeof pwned'), 'undefined');
    for (const place of [
      '#news h3',
      '#most-read .title',
      '#configuration-cards h3',
      'dt',
      '.keywords',
      '#product-description',
    ]) {
      assert.equal(await page.locator(place).first().textContent(), ATTACK, place);
    }
    assert.equal(await page.locator('#product option').textContent(), ATTACK);
    assert.equal(await article.locator('.lead').textContent(), 'one');
    assert.deepEqual(await article.locator('details p').allTextContents(), ['two a', 'three']);
    const plain = page.locator('#news article').nth(1);
    assert.deepEqual(await plain.locator('.lead, details p').allTextContents(), ['a < b', 'c & d']);
    const made = await page
      .locator('main :is(script, iframe, style, base, meta, link, form form, a)')
      .count();
    assert.equal(made, 0);
    assert.ok(requests.every(url => !url.includes('example')));
  });
});

/** A proxy that has a service below a prefix, which it takes off, and nothing beside it. */
async function startProxy(t: TestContext, target: string, prefix: string): Promise<string> {
  const server = createServer((incoming, outgoing) => {
    const path = incoming.url?.split(prefix)[1];
    if (path === undefined) {
      outgoing.writeHead(404).end();
      return;
    }
    const passed = request(new URL(path, target), { headers: incoming.headers }, answer => {
      outgoing.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(outgoing);
    });
    incoming.pipe(passed);
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterTest(t, () => server.close().closeAllConnections());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

const mounts: Record<string, (t: TestContext) => Promise<string>> = {
  'at the root': async t => (await serve(t)).address,
  'below a base path': async t => `${(await serve(t, shop, { basePath: '/a/shop' })).address}a/shop/`,
  'below one without its slash': async t =>
    `${(await serve(t, shop, { basePath: '/a/shop' })).address}a/shop?b=/c`,
  'as a plugin below a prefix': async t => {
    const host = Fastify({ pluginTimeout: 0 });
    const dir = await writeFiles(t, shop);
    afterTest(t, () => host.close());
    host.register(vitrine, { prefix: '/one', catalogDir: dir, imagesDir: dir, stateDir: dir });
    return `${await host.listen({ port: 0, host: '127.0.0.1' })}/one`;
  },
  'behind a proxy that adds a path': async t =>
    `${await startProxy(t, (await serve(t)).address, '/outer')}/outer/`,
  'behind one that adds a path to a base path without its slash': async t =>
    `${await startProxy(t, (await serve(t, shop, { basePath: '/shop' })).address, '/outer')}/outer/shop`,
};

for (const [name, start] of Object.entries(mounts)) {
  test(`the page works ${name}`, { skip }, async t => {
    await visit(await start(t), async ({ page }) => {
      await page.getByText('Hong Kong').or(page.getByText('Tiny')).first().waitFor();
      await page.getByRole('heading', { name: 'Servers restart' }).waitFor();
    });
  });
}

test('without JavaScript, the page says so and links to the documentation', { skip }, async t => {
  const { address } = await serve(t);
  const look = async ({ page }: { page: Page }) => {
    assert.match(await page.locator('main').innerText(), /^This page needs JavaScript/);
    for (const name of ['health', 'overview']) {
      await page.goto(address);
      await page.getByRole('link', { name, exact: true }).click();
      assert.match(await page.locator('body').innerText(), /^{"success":true/);
    }
  };
  await visit(address, look, { javaScriptEnabled: false });
});
