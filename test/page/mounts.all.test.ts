import assert from 'node:assert/strict';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type TestContext, test } from 'node:test';
import Fastify from 'fastify';
import type { Page } from 'playwright-core';
import { vitrine } from '../../src/index.ts';
import { afterTest } from '../support/after-test.ts';
import { visit } from '../support/browser.ts';
import { writeFiles } from '../support/catalogs.ts';
import { serve, shop } from '../support/page/serve.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

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
      await page.getByRole('link', { name: 'News', exact: true }).click();
      await page.getByRole('heading', { name: 'Servers restart' }).waitFor();
      await page.getByRole('link', { name: 'Prices', exact: true }).click();
      await page.getByRole('rowheader', { name: 'Tiny' }).waitFor();
    });
  });
}

test('without JavaScript, the page says so and links to the documentation', { skip }, async t => {
  const { address } = await serve(t);
  const look = async ({ page }: { page: Page }) => {
    assert.match(await page.locator('noscript').innerText(), /^This page needs JavaScript/);
    for (const name of ['health', 'overview']) {
      await page.goto(address);
      await page.getByRole('link', { name, exact: true }).click();
      assert.match(await page.locator('body').innerText(), /^{"success":true/);
    }
  };
  await visit(address, look, { javaScriptEnabled: false });
});
