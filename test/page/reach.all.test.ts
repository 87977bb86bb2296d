import assert from 'node:assert/strict';
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
  'as a plugin below a prefix': async t => {
    const host = Fastify({ pluginTimeout: 0 });
    const dir = await writeFiles(t, shop);
    afterTest(t, () => host.close());
    host.register(vitrine, { prefix: '/one', catalogDir: dir, imagesDir: dir, stateDir: dir });
    return `${await host.listen({ port: 0, host: '127.0.0.1' })}/one`;
  },
  'behind a proxy that adds a path to a base path without its slash': async t =>
    `${await startProxy(t, (await serve(t, shop, { basePath: '/a/shop' })).address, '/outer')}/outer/a/shop?b=/c`,
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
