import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { mkdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { freePort } from '../scripts/replicas/free-port.ts';
import { createClient } from '../src/client.ts';
import { shop, shopWith, writeFiles, writeInto } from './catalogs.ts';
import { skipWithoutBuild } from './skipping.ts';
import { until } from './until.ts';

const root = fileURLToPath(new URL('..', import.meta.url));
const [, section = ''] = readFileSync(join(root, 'README.md'), 'utf8').split(/^## (?=Embedding)/m);
const examples = Array.from(section.matchAll(/```js\n(.*?)```/gs), ([, code = '']) => code);
/** They import the package as it was built. */
const skip = skipWithoutBuild();

/** Runs an example in a folder with the catalogs and the packages that it needs; it is ended after the test. */
async function run(t: TestContext, code = ''): Promise<string> {
  let child: ChildProcess | undefined;
  const dir = await writeFiles(t, {}, async () => {
    child?.kill('SIGKILL');
    if (child) await once(child, 'close');
  });
  await writeInto(join(dir, 'shop/catalog'), shop);
  await writeInto(join(dir, 'outlet/catalog'), shopWith({ 'news.json': [] }));
  await mkdir(join(dir, 'node_modules'));
  await symlink(root, join(dir, 'node_modules/vitrine'));
  for (const name of ['fastify', 'express']) {
    await symlink(join(root, 'node_modules', name), join(dir, 'node_modules', name));
  }
  const port = await freePort();
  assert.equal(code.split('3000').length, 2, 'it listens on one port');
  await writeFile(join(dir, 'server.mjs'), code.replace('3000', String(port)));
  child = spawn(process.execPath, ['server.mjs'], { cwd: dir, stdio: ['ignore', 'ignore', 'inherit'] });
  const address = `http://127.0.0.1:${port}`;
  await until(t, async () => {
    assert.equal(child?.exitCode, null, 'it has ended');
    return fetch(address).catch(() => undefined);
  });
  return address;
}

test('the README has an example for each way of embedding', () => {
  assert.equal(examples.length, 3);
});

test('the example of a plugin serves two catalogs', { skip }, async t => {
  const address = await run(t, examples[0]);
  const totalOf = async (path: string) => (await createClient(address + path).listNews()).pagination.total;
  assert.deepEqual([await totalOf('/shop'), await totalOf('/outlet')], [4, 0]);
  assert.match(await textOf(`${address}/other`), /"error":"Not Found"/);
});

test('the example of a handler serves below a path of Express', { skip }, async t => {
  const address = await run(t, examples[1]);
  assert.equal((await createClient(`${address}/shop`).readNews(1)).read, 101);
  const page = await fetch(`${address}/shop`);
  assert.deepEqual([page.status, page.url], [200, `${address}/shop/`]);
  assert.match(await textOf(`${address}/shop/nothing`), /"error":"ROUTE_NOT_FOUND"/);
  assert.equal(await textOf(address), 'the rest of the site');
});

test('the example of an app of its own has its hook and its route', { skip }, async t => {
  const address = await run(t, examples[2]);
  const news = await fetch(`${address}/api/news`);
  assert.deepEqual([news.status, news.headers.get('x-powered-by')], [200, 'a small shop']);
  assert.equal(await textOf(`${address}/contact`), '{"mail":"shop@example.com"}');
});

async function textOf(url: string): Promise<string> {
  return (await fetch(url)).text();
}
