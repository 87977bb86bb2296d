import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { createClient } from '../../src/client.ts';
import { shop, shopWith, writeFiles, writeInto } from '../support/catalogs.ts';
import { codeBlocks, readPage, sectionOf } from '../support/manual.ts';
import { link } from '../support/package.ts';
import { startIn } from '../support/process.ts';
import { freePort } from '../support/programs.ts';
import { skipWithoutBuild } from '../support/skipping.ts';

const [plugin = ''] = codeBlocks(readPage('README.md'), 'js');
const [handler = '', app = '', ...others] = codeBlocks(sectionOf('src/http/README.md', 'Embedding'), 'js');
assert.deepEqual(others, []);
/** The example of a plugin, registered once more for a second set of catalogs. */
const twice = plugin.replace(/^app\.register.*\n/m, line => line + line.replaceAll('shop', 'outlet'));
/** They import the package as it was built. */
const skip = skipWithoutBuild();

/**
 * Runs an example in a folder with the catalogs and the packages that it needs. `stop` stops it as npm does in a
 * terminal, and resolves to its exit code and the read counts of the shop.
 */
async function run(t: TestContext, code: string) {
  const dir = await writeFiles(t, {});
  await writeInto(join(dir, 'shop/catalog'), shop);
  await writeInto(join(dir, 'outlet/catalog'), shopWith({ 'news.json': [] }));
  await link(dir, 'vitrine', 'fastify', 'express');
  const port = await freePort();
  assert.equal(code.split('3000').length, 2, 'it listens on one port');
  await writeFile(join(dir, 'server.mjs'), code.replace('3000', String(port)));
  const { answer, exit, kill } = startIn(t, dir, [process.execPath, 'server.mjs']);
  const address = `http://127.0.0.1:${port}`;
  await answer(() => fetch(address));
  const stop = async () => {
    for (const signal of ['SIGINT', 'SIGINT'] as const) kill(signal);
    const exitCode = await exit;
    const { counts } = JSON.parse(await readFile(join(dir, 'shop/state/read-counts.json'), 'utf8'));
    return { exitCode, counts };
  };
  return { address, stop };
}

/** What is left of an example whose first news item was read once. */
const saved = { exitCode: 0, counts: { 1: 101 } };

test('the example of a plugin serves two catalogs, and saves their counts when it is stopped', {
  skip,
}, async t => {
  const { address, stop } = await run(t, twice);
  const totalOf = async (path: string) => (await createClient(address + path).listNews()).pagination.total;
  assert.deepEqual([await totalOf('/shop'), await totalOf('/outlet')], [4, 0]);
  assert.match(await textOf(`${address}/other`), /"error":"Not Found"/);
  await createClient(`${address}/shop`).readNews(1);
  assert.deepEqual(await stop(), saved);
});

test('the example of a handler serves below a path of Express, and saves its counts when it is stopped', {
  skip,
}, async t => {
  const { address, stop } = await run(t, handler);
  assert.equal((await createClient(`${address}/shop`).readNews(1)).read, 101);
  const page = await fetch(`${address}/shop`);
  assert.deepEqual([page.status, page.url], [200, `${address}/shop/`]);
  assert.match(await textOf(`${address}/shop/nothing`), /"error":"ROUTE_NOT_FOUND"/);
  assert.equal(await textOf(address), 'the rest of the site');
  assert.deepEqual(await stop(), saved);
});

test('the example of an app of its own has its hook and its route, and saves its counts when it is stopped', {
  skip,
}, async t => {
  const { address, stop } = await run(t, app);
  const news = await fetch(`${address}/api/news`);
  assert.deepEqual([news.status, news.headers.get('x-powered-by')], [200, 'a small shop']);
  assert.equal(await textOf(`${address}/contact`), '{"mail":"shop@example.com"}');
  await createClient(address).readNews(1);
  assert.deepEqual(await stop(), saved);
});

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}
