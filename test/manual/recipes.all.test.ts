import assert from 'node:assert/strict';
import { readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { connect } from 'node:net';
import { basename, dirname, join } from 'node:path';
import { type TestContext, type TestFn, test as testOfNode } from 'node:test';
import { pathToFileURL } from 'node:url';
import { createClient } from '../../src/client.ts';
import { visit } from '../page/browser.ts';
import { shop, shopWith, writeFiles, writeInto } from '../support/catalogs.ts';
import { codeBlocks, readPage, sectionOf } from '../support/manual.ts';
import { link, root } from '../support/package.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { freePort, startProgram } from '../support/programs.ts';
import { startService } from '../support/service.ts';
import { skipWithout, skipWithoutBuild } from '../support/skipping.ts';
import { until } from '../support/until.ts';
import { listen } from '../support/wire.ts';

/** What the recipes' files have, by their names, which stand before them. */
const section = sectionOf('src/http/README.md', 'Recipes');
const recipes = Object.fromEntries(
  Array.from(section.matchAll(/`([^`]+)`[^`]*:\n\n```\w+\n(.*?)```/gs), match => match.slice(1)),
);
const TOKEN = 'a-token-of-the-tests';
/** They import the package as it was built. */
const skip = skipWithoutBuild();
const test = (name: string, run: TestFn) => void testOfNode(name, { skip }, run);

/** A service of the shop, and a project with files of the recipes and the package in it. */
async function open(t: TestContext, ...names: string[]) {
  const service = await startService(t, shop, { previewToken: TOKEN });
  const address = `http://127.0.0.1:${await service.listen()}`;
  const dir = await writeFiles(t, { 'package.json': '{"type":"module"}' });
  await link(dir, 'vitrine');
  for (const name of names)
    await writeInto(join(dir, dirname(name)), { [basename(name)]: recipes[name] ?? '' });
  return { address, dir, settings: service.settings };
}

assert.deepEqual(Object.keys(recipes), ['_data/news.js', 'news.njk', 'index.html', 'app/news/[id]/route.js']);

test('the recipe for a static site has the fields of its template for each news item, and counts no read', async t => {
  const { address, dir } = await open(t, '_data/news.js');
  process.env.VITRINE_URL = address;
  const { default: data } = await import(pathToFileURL(join(dir, '_data/news.js')).href);
  const items = await data();
  const ids = items.map(({ id }: { id: number }) => id);
  assert.deepEqual(ids, [4, 3, 2, 1]);
  const [frontMatter = '', template = ''] = recipes['news.njk']?.split(/^---$/m).slice(1) ?? [];
  assert.match(frontMatter, /data: news, size: 1, alias: item/);
  const names = (frontMatter + template).match(/(?<=\{\{ item\.)\w+/g) ?? [];
  assert.deepEqual(new Set(names), new Set(['id', 'title', 'content']));
  for (const item of items) for (const name of names) assert.notEqual(item[name], undefined, name);
  assert.equal((await createClient(address).readNews(1)).read, 101);
});

const noBrowser = skip || skipWithout('chromium');
testOfNode('the recipe for a page of another origin shows the prices', { skip: noBrowser }, async t => {
  const { address, dir } = await open(t, 'index.html');
  const html = await readFile(join(dir, 'index.html'), 'utf8');
  const client = await readFile(join(root, 'dist/client.js'));
  const site = createServer(({ url }, response) => {
    if (url === '/client.js') response.setHeader('content-type', 'text/javascript').end(client);
    else if (url === '/')
      response.setHeader('content-type', 'text/html').end(html.replace('http://127.0.0.1:3000', address));
    else response.writeHead(204).end();
  });
  await visit(`${await listen(t, site)}/`, async ({ page, faults }) => {
    await page.getByText('Tiny: from 9.9').waitFor();
    assert.equal(await page.locator('li').count(), 3);
    // It asks another origin, as is meant.
    const asked = `it asked for ${address}/api/recommend-config?product_id=1&include_durations=true`;
    assert.deepEqual(faults.splice(0), [asked]);
  });
});

test('the recipe for a rendering server shows a news item, counts the read, and handles a missing item', async t => {
  const name = 'app/news/[id]/route.js';
  const { address, dir } = await open(t, name);
  process.env.VITRINE_URL = address;
  const { GET } = await import(pathToFileURL(join(dir, name)).href);
  const get = async (id: string) => {
    const response = await GET(new Request(`http://site/news/${id}`), { params: Promise.resolve({ id }) });
    return [response.status, await response.text()];
  };
  const [status, text] = await get('1');
  assert.equal(status, 200);
  assert.match(text, /^<!doctype html><h1>We are open<\/h1>.*<p>Read 101 times<\/p>$/s);
  for (const id of ['99', 'abc', '../price']) assert.equal((await get(id))[0], 404, id);
});

/** Imports a block of the guide, with what it leaves out before it, and what it names. */
async function importBlock(dir: string, name: string, code: string) {
  await writeInto(dir, { [name]: code });
  return import(pathToFileURL(join(dir, name)).href);
}

test('the code for the client asks a service and its preview', async t => {
  const { address, dir } = await open(t);
  const blockOf = (section: string) => {
    const [block = ''] = codeBlocks(sectionOf('src/http/README.md', section), 'ts');
    return block.replace('https://example.com/shop', address);
  };
  const client = `${blockOf('TypeScript client')}\nexport { list, news };`;
  const { list, news } = await importBlock(dir, 'client.mjs', client);
  assert.deepEqual([list.length, news.pagination.total], [3, 0]);
  const before = `import { createClient } from 'vitrine/client';\nconst token = '${TOKEN}';\n`;
  const { shop } = await importBlock(dir, 'preview.mjs', `${before}${blockOf('Preview')}\nexport { shop };`);
  assert.equal((await shop.listNews()).pagination.total, 5);
});

test('the code for an export asks its files, and the service for a news item', async t => {
  const { address, dir, settings } = await open(t);
  const site = join(dir, 'site');
  const dirs = { catalogDir: settings.catalogDir, stateDir: settings.stateDir };
  assert.equal((await startProcess(t, ['export', site, ...flagsOf(dirs)]).exit).code, 0);
  let serviceAt = '';
  const host = createServer(async ({ url = '' }, response) => {
    const counted = serviceAt !== '' && /\d$/.test(url) && Buffer.from(await textOf(serviceAt + url));
    const body = counted || (await readFile(join(site, url)).catch(() => undefined));
    response.writeHead(body ? 200 : 404, { 'content-type': 'application/json' }).end(body);
  });
  const exported = await listen(t, host);
  const [client = '', fetching = ''] = codeBlocks(sectionOf('src/http/README.md', 'Static export'), 'js');
  const blocks = `${client}\n${fetching}`.replaceAll('https://example.com', exported);
  const { counting, list } = await importBlock(dir, 'export.mjs', `${blocks}\nexport { counting, list };`);
  assert.equal(list.length, 3);
  assert.equal((await counting.listNews()).pagination.total, 4);
  // The host of the files passes these on to the service.
  serviceAt = address;
  assert.equal((await counting.readNews(1)).read, 101);
});

const [plugin = ''] = codeBlocks(readPage('README.md'), 'js');
const [handler = '', app = '', ...others] = codeBlocks(readPage('src/EMBEDDING.md'), 'js');
assert.deepEqual(others, []);
/** The example of a plugin, registered once more for a second set of catalogs. */
const twice = plugin.replace(/^app\.register.*\n/m, line => line + line.replaceAll('shop', 'outlet'));
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
  const { child, exit } = startProgram(t, [process.execPath, 'server.mjs'], { cwd: dir });
  const address = `http://127.0.0.1:${port}`;
  await until(t, () => fetch(address).catch(() => undefined));
  const stop = async () => {
    // A signal kills a process that exits, so a request that goes on keeps it from that.
    const unfinished = connect(port, '127.0.0.1').on('error', () => {});
    await new Promise(resolve => unfinished.write('GET / HTTP/1.1\r\n', resolve));
    child.kill('SIGINT');
    await until(t, () =>
      fetch(address)
        .then(() => false)
        .catch(() => true),
    );
    child.kill('SIGINT');
    unfinished.destroy();
    const { code: exitCode } = await exit;
    const { counts } = JSON.parse(await readFile(join(dir, 'shop/state/read-counts.json'), 'utf8'));
    return { exitCode, counts };
  };
  return { address, stop };
}

/** What is left of an example whose first news item was read once. */
const saved = { exitCode: 0, counts: { 1: 101 } };

test('the example of a plugin serves two catalogs, and saves their counts when it is stopped', async t => {
  const { address, stop } = await run(t, twice);
  const totalOf = async (path: string) => (await createClient(address + path).listNews()).pagination.total;
  assert.deepEqual([await totalOf('/shop'), await totalOf('/outlet')], [4, 0]);
  assert.match(await textOf(`${address}/other`), /"error":"Not Found"/);
  await createClient(`${address}/shop`).readNews(1);
  assert.deepEqual(await stop(), saved);
});

test('the example of a handler serves below a path of Express, and saves its counts when it is stopped', async t => {
  const { address, stop } = await run(t, handler);
  assert.equal((await createClient(`${address}/shop`).readNews(1)).read, 101);
  const page = await fetch(`${address}/shop`);
  assert.deepEqual([page.status, page.url], [200, `${address}/shop/`]);
  assert.match(await textOf(`${address}/shop/nothing`), /"error":"ROUTE_NOT_FOUND"/);
  assert.equal(await textOf(address), 'the rest of the site');
  assert.deepEqual(await stop(), saved);
});

test('the example of an app of its own has its hook and its route, and saves its counts when it is stopped', async t => {
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
