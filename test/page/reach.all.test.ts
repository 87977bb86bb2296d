import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { createServer, request } from 'node:http';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { visit } from '../support/browser.ts';
import { sample, writeFiles } from '../support/catalogs.ts';
import { listen } from '../support/listen.ts';
import { serve, shop, test as testPage } from '../support/page/serve.ts';
import { skipWithout, skipWithoutBuild } from '../support/skipping.ts';

const skip = skipWithout('chromium');

/** A proxy that has a service below a prefix, which it takes off, and nothing beside it. */
function startProxy(t: TestContext, target: string, prefix: string): Promise<string> {
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
  return listen(t, server);
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
      await page.getByRole('link', { name: 'News', exact: true }).click();
      await page.getByRole('heading', { name: 'Servers restart' }).waitFor();
      await page.getByRole('link', { name: 'Prices', exact: true }).click();
      await page.getByRole('rowheader', { name: 'Tiny' }).waitFor();
    });
  });
}

testPage(
  'without JavaScript, the page says so and links to the documentation',
  {
    javaScriptEnabled: false,
  },
  async ({ page, address }) => {
    assert.match(await page.locator('noscript').innerText(), /^This page needs JavaScript/);
    for (const name of ['health', 'overview']) {
      await page.goto(address);
      await page.getByRole('link', { name, exact: true }).click();
      assert.match(await page.locator('body').innerText(), /^{"success":true/);
    }
  },
);

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
  await visit(await listen(t, site), async ({ page, faults }) => {
    await page.getByText('We are open').waitFor();
    await page.getByText('NEWS_NOT_FOUND').waitFor();
    // It asks another origin, as is meant, and the browser tells of the item that does not exist.
    for (const fault of faults.splice(0))
      assert.match(fault, /^it asked for .*\/api\/news\/\d+$|status of 404/);
  });
});
