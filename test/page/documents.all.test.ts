import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { afterTest } from '../support/after-test.ts';
import { visit } from '../support/browser.ts';
import { sample } from '../support/catalogs.ts';
import { serve } from '../support/page/serve.ts';
import { skipWithout, skipWithoutBuild } from '../support/skipping.ts';

const skip = skipWithout('chromium');

/** Shows a news item, and the error of one that does not exist. */
const SITE = `<!doctype html>
<link rel="icon" href="data:,">
<p id="title"></p>
<p id="error"></p>
<script type="module">
  import { createClient, VitrineError } from './client.js';
  const client = createClient('SERVICE');
  title.textContent = (await client.readNews(1)).title;
  client.readNews(99).catch(failure => (error.textContent = failure instanceof VitrineError && failure.code));
</script>`;

test('the docs page loads nothing from elsewhere, and sends the requests that people try', {
  skip: skip || skipWithoutBuild(),
}, async t => {
  const { address } = await serve(t, {}, { ...sample, basePath: '/shop' });
  await visit(`${address}shop/documentation`, async ({ page, requests }) => {
    await page.locator('.opblock').nth(10).waitFor();
    await page.locator('#operations-Configurations-getPrice').click();
    await page.getByRole('button', { name: 'Try it out' }).click();
    await page.getByRole('button', { name: 'Execute' }).click();
    await page.locator('.live-responses-table .response-col_status', { hasText: '200' }).waitFor();
    assert.match(await page.locator('.live-responses-table').innerText(), /"price": 19\.9/);
    assert.ok(requests.some(url => url.endsWith('/shop/documentation/json')));
    assert.ok(requests.some(url => url.includes('/shop/api/recommend-config/price?product_id=1')));
  });
});

test('documents opened in a browser load nothing from elsewhere', {
  skip: skip || skipWithoutBuild(),
}, async t => {
  const newsUrl = 'https://www.example.com/news/{id}';
  const { address } = await serve(t, {}, { ...sample, newsUrl });
  for (const [path, text] of [
    ['api/news/1', '"Meridian Cloud opens'],
    ['health', '"status":"ok"'],
    ['documentation/json', '"openapi":"3.1.0"'],
    ['metrics', '# HELP'],
    ['feeds/news.atom', 'Meridian'],
    ['feeds/news.rss', 'Meridian'],
    ['images/cable-map.svg', ''],
  ] as const) {
    await visit(address + path, async ({ page }) => {
      assert.ok((await page.content()).includes(text), path);
    });
  }
});

test('the client works in a browser, on a page of another origin', {
  skip: skip || skipWithoutBuild(),
}, async t => {
  const { address } = await serve(t);
  const client = await readFile(new URL('../../dist/client.js', import.meta.url));
  const site = createServer((request, response) => {
    const isClient = request.url === '/client.js';
    response.setHeader('content-type', isClient ? 'text/javascript' : 'text/html');
    response.end(isClient ? client : SITE.replace('SERVICE', address));
  });
  afterTest(t, () => site.close());
  await once(site.listen(0, '127.0.0.1'), 'listening');
  const { port } = site.address() as AddressInfo;
  await visit(`http://127.0.0.1:${port}/`, async ({ page, faults }) => {
    await page.getByText('We are open').waitFor();
    await page.getByText('NEWS_NOT_FOUND').waitFor();
    // It asks another origin, as is meant, and the browser tells of the item that does not exist.
    for (const fault of faults.splice(0))
      assert.match(fault, /^it asked for .*\/api\/news\/\d+$|status of 404/);
  });
});
