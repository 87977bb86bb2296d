import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { dirname, join } from 'node:path';
import { text } from 'node:stream/consumers';
import { type TestFn, test as testOfNode } from 'node:test';
import { writeFiles, writeInto } from './support/catalogs.ts';
import { codeBlocks, linksIn, pages, readPage, sectionOf } from './support/manual.ts';
import { execute, install, link, oldestPackages, root } from './support/package.ts';
import { skipWithoutBuild } from './support/skipping.ts';
import { listen } from './support/wire.ts';

/** It packs what was built. */
const skip = skipWithoutBuild();
const test = (name: string, run: TestFn) => void testOfNode(name, { skip }, run);
const { dir, home, packed } = skip
  ? { dir: '', home: '', packed: { filename: '', size: 0, files: [] } }
  : await install();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('the package has the program, its types, the page, the sample data and the manual, in two and a half megabytes', () => {
  assert.ok(packed.size < 2.5e6, `${packed.size} bytes`);
  const isExpected =
    /^(dist|data\/(catalog|images)|scripts\/deploy)\/.+|README\.md|src\/EMBEDDING\.md|^(\.github\/\w+\.md|scripts\/screenshot\/\w+\.png|CHANGELOG\.md|LICENSE|package\.json)$/;
  for (const { path } of packed.files) assert.match(path, isExpected);
  const paths = packed.files.map(({ path }) => path);
  for (const path of [
    ...['LICENSE', 'dist/LICENSES.txt', 'dist/sbom.cdx.json', 'dist/main.js', 'dist/reader.js'],
    ...['dist/index.js', 'dist/index.d.ts', 'dist/client.d.ts', 'dist/docs/openapi.json'],
    ...[
      'dist/docs/swagger-ui-bundle.js',
      'dist/page/index.html',
      'dist/page/main.js',
      'data/catalog/news.json',
    ],
  ])
    assert.ok(paths.includes(path), path);
  for (const path of paths) {
    assert.doesNotMatch(path, /^data\/state/);
    if (/^dist\/[^/]+\.js$/.test(path)) assert.ok(paths.includes(`${path}.map`), path);
  }
});

test('the package has the licence texts of all that it contains, also of what swagger-ui bundles', async () => {
  const licences = await readFile(join(root, 'dist/LICENSES.txt'), 'utf8');
  const swaggerUi = await readFile(join(root, 'dist/docs/swagger-ui-bundle.js'), 'utf8');
  // With another version, scripts/licences/swagger-ui.txt has to be compared with the packages in its bundle.
  const [, version] = /PACKAGE_VERSION:"([\d.]+)"/.exec(swaggerUi) ?? assert.fail('no version');
  assert.ok(licences.includes(`\nswagger-ui ${version}, and the packages that are part of its`), version);
  for (const holder of ['Isaac Z. Schlueter and Contributors', 'Facebook, Inc.', 'Scott Sauyet', 'Cure53'])
    assert.ok(licences.includes(holder), holder);
  assert.doesNotMatch(licences, /^Licence: /m);
});

test('the SBOM names what the package contains once, each with its licence text, and the audit asks for these', async t => {
  const { bomFormat, components } = JSON.parse(await readFile(join(root, 'dist/sbom.cdx.json'), 'utf8'));
  assert.equal(bomFormat, 'CycloneDX');
  const purls = components.map(({ purl }: { purl: string }) => purl);
  assert.equal(new Set(purls).size, purls.length);
  const licences = await readFile(join(root, 'dist/LICENSES.txt'), 'utf8');
  for (const { name, version, licenses } of components) {
    assert.equal(licenses.length, 1, name);
    assert.ok(name === 'swagger-ui-dist' || licences.includes(`${name} ${version}\n`), name);
  }
  for (const name of ['fastify', 'preact', 'swagger-ui-dist'])
    assert.ok(String(purls).includes(`/${name}@`), name);
  const asked: object[] = [];
  const advisory = { severity: 'high', title: 'Broken', url: 'https://a.test', vulnerable_versions: '<9' };
  const answers = [{}, { fastify: [advisory] }];
  const registry = createServer(async (request, response) => {
    asked.push(JSON.parse(await text(request)));
    response.end(JSON.stringify(answers.shift()));
  });
  const env = { ...process.env, npm_config_registry: `${await listen(t, registry)}/` };
  const audit = () => execute(process.execPath, [join(root, 'scripts/audit.mjs')], { env });
  assert.match((await audit()).stdout, /^0 advisories on \d+ bundled packages\n$/);
  await assert.rejects(audit, {
    code: 1,
    stdout: /^fastify 5\.\S+ \(<9\): high: Broken: https:\/\/a\.test\n1 advisories/,
  });
  const names: string[] = components.map(({ name }: { name: string }) => name);
  assert.deepEqual(Object.keys(asked[0] ?? {}).sort(), [...new Set(names)].sort());
});

test('every link of a page in the package leads to a file in the package', () => {
  const paths = new Set(packed.files.map(({ path }) => path));
  for (const page of pages)
    for (const link of ['', ...linksIn(readPage(page))]) {
      const [path = ''] = link.split('#');
      if (!path.startsWith('https:'))
        assert.ok(paths.has(path ? join(dirname(page), path) : page), `${page}: ${link}`);
    }
});

test('the program in the package runs without any other package', async () => {
  const program = join(home, manifest.bin.vitrine);
  assert.match(await readFile(program, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  const { stdout } = await execute(process.execPath, [program, '--version']);
  assert.equal(stdout, `${manifest.version}\n`);
  const args = ['check', join(home, 'data/catalog'), '--images-dir', join(home, 'data/images')];
  const check = await execute(process.execPath, [program, ...args]);
  assert.match(check.stdout, /ok: version/);
});

testOfNode('installing the package adds the addon for locks and no other package', () => {
  const { dependencies = {}, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  assert.deepEqual(Object.keys({ ...dependencies, ...optionalDependencies }), ['fs-native-extensions']);
  for (const name of Object.keys(peerDependencies))
    assert.deepEqual(peerDependenciesMeta[name], { optional: true });
});

test('a route with schemas in an app of the package works without Fastify installed', async () => {
  const sample = { catalogDir: join(home, 'data/catalog'), imagesDir: join(home, 'data/images') };
  const options = { ...sample, stateDir: join(dir, 'state'), logLevel: 'silent' };
  const code = `
    const { createVitrine } = require('vitrine');
    const { version } = require('vitrine/package.json');
    const number = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    createVitrine(${JSON.stringify(options)}).then(async app => {
      app.get('/double', { schema: { querystring: number, response: { 200: number } } }, ({ query }) => ({
        n: query.n * 2,
        more: 1,
      }));
      const statuses = [];
      for (const url of ['/double?n=x', '/documentation/', '/documentation/static/swagger-ui.css', '/'])
        statuses.push((await app.inject(url)).statusCode);
      console.log(version, (await app.inject('/double?n=3')).body, statuses.join());
      await app.close();
    });`;
  const { stdout } = await execute(process.execPath, ['--input-type=commonjs', '-e', code], { cwd: dir });
  assert.equal(stdout, `${manifest.version} {"n":6} 400,200,200,200\n`);
});

testOfNode('a build without the development packages says in one line what to do', async t => {
  const dir = await writeFiles(t, {});
  for (const name of ['src', 'scripts']) await cp(join(root, name), join(dir, name), { recursive: true });
  const build = execute(process.execPath, [join(dir, 'scripts/build.mjs'), '--if-stale']);
  await assert.rejects(build, {
    code: 1,
    stdout: '',
    stderr: 'cannot build: the packages for development are missing; run "npm ci" without --omit=dev\n',
  });
});

testOfNode('the npm scripts run in a POSIX shell and in cmd', async () => {
  for (const [name, script] of Object.entries<string>(manifest.scripts)) {
    assert.doesNotMatch(script, /['"$`|;\\]|(^|&& )(?!exec |node |tsc\b|biome |c8 )/, name);
  }
  assert.match(await readFile(join(root, 'exec.cmd'), 'utf8'), /^@rem .*\r\n@%\*\r\n$/);
});

/** Type-checks files of the installed package with a TypeScript, strictly. */
async function compile(packages: string, include: string[], options: object): Promise<void> {
  const strictly = { strict: true, exactOptionalPropertyTypes: true, noEmit: true };
  const compilerOptions = { target: 'es2022', module: 'nodenext', types: [], ...strictly, ...options };
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include }));
  const tsc = join(packages, 'typescript/bin/tsc');
  await execute(process.execPath, [tsc, '-p', dir]).catch(({ stdout }) => assert.fail(stdout));
}

/** The newest TypeScript, and the oldest if it is there. */
const compilers = [join(root, 'node_modules'), ...(oldestPackages === undefined ? [] : [oldestPackages])];
const bundler = { module: 'esnext', moduleResolution: 'bundler' };

const clientOfModule = `import { createClient, VitrineError, type VitrineClient } from 'vitrine/client';
import type { Change, Changes, ErrorCode, ErrorDetail, NewsDetail, NewsListItem, NewsType, Page, Pagination, PriceRecord, ProductRecord, RecommendedConfiguration } from 'vitrine/client';
export const items = async (): Promise<Page<NewsListItem>> => client.listNews();
export const client: VitrineClient = createClient('http://localhost');
export const prices = async () => (await client.listConfigurations({ product_id: 1 })).list.map(({ memory }): number => memory);
export const first = async () => (await client.listConfigurations({ product_id: 1, include_durations: true })).list.map(({ durations }): number => durations.length);
// @ts-expect-error: the query asks for no durations
export const none = async () => (await client.listConfigurations({ product_id: 1 })).list.map(({ durations }): number => durations.length);
// @ts-expect-error: there is no such parameter
export const wrong = client.listNews({ colour: 'red' });
export const code = (error: VitrineError): ErrorCode | 'NO_ENVELOPE' => error.code;
export const details = (error: VitrineError): readonly ErrorDetail[] => error.details;
export const last = ({ pagination }: { pagination: Pagination }): number => pagination.total;
`;
const clientOfCommonJs = `import client = require('vitrine/client');
import type { VitrineClient } from 'vitrine/client';
export const create = client.createClient;
export async function open(): Promise<VitrineClient> {
  const { createClient } = await import('vitrine/client');
  const client = createClient('http://localhost');
  // @ts-expect-error: there is no such field
  (await client.readNews(1)).name;
  return client;
}
`;

test('the client has its types in every module system with no other package installed', async () => {
  await writeFile(join(dir, 'client.mts'), clientOfModule);
  await writeFile(join(dir, 'client.cts'), clientOfCommonJs);
  const options = { lib: ['es2022', 'dom', 'dom.iterable'], skipLibCheck: false };
  for (const packages of compilers) await compile(packages, ['client.*'], options);
  await compile(join(root, 'node_modules'), ['client.mts'], { ...options, ...bundler });
});

const embedder = `import { createVitrine, vitrine, CatalogError, UsageError, type Health, type NewsDetail, type VitrineOptions, type VitrinePluginOptions } from 'vitrine';
import { createClient, VitrineError } from 'vitrine/client';
import Fastify from 'fastify';

const options: VitrineOptions = { catalogDir: 'catalog', port: 0, rateLimit: 60 };
const ofPlugin: VitrinePluginOptions = { catalogDir: 'catalog', rateLimit: 60 };
Fastify().register(vitrine, { prefix: '/shop', logLevel: 'warn', ...ofPlugin });
// @ts-expect-error: the host listens
Fastify().register(vitrine, { port: 0 });
const item: NewsDetail = await createClient('http://localhost').readNews(1);
export const title: string = item.title;
export const status = (health: Health): 'ok' | 'degraded' => health.status;
export const handler = (await createVitrine(options)).handler;
export const isMissing = (error: unknown) => error instanceof VitrineError && error.code === 'NEWS_NOT_FOUND';
export const errors = [CatalogError, UsageError];
// @ts-expect-error: a news item has no name
export const name = item.name;
`;

test('an embedder gets the types of the package, with and without skipLibCheck, and a wrong field does not compile', async () => {
  await link(dir, 'fastify', '@types/node');
  await writeFile(join(dir, 'site.mts'), embedder);
  const options = { types: ['node'], skipLibCheck: false };
  for (const packages of compilers)
    for (const skipLibCheck of [false, true])
      await compile(packages, ['site.mts'], { ...options, skipLibCheck });
  await compile(join(root, 'node_modules'), ['site.mts'], { ...options, ...bundler });
});

/** What the guide uses of Express, which has no types of its own. */
const express = `declare module 'express' {
  import type { IncomingMessage, RequestListener, Server } from 'node:http';
  interface App {
    use(path: string, handler: RequestListener): void;
    get(path: string, handler: (request: IncomingMessage, response: { send(text: string): void }) => void): void;
    listen(port: number): Server;
  }
  export default function express(): App;
}
`;

test('the code of the manual compiles strictly, as JavaScript with types or TypeScript', async () => {
  await link(dir, 'fastify', '@types/node').catch(() => {}); // Another test may have done so.
  const http = readPage('src/http/README.md');
  const preview = "import { createClient } from 'vitrine/client';\nconst token = 'secret';\n";
  const [client = '', ofPreview = ''] = ['TypeScript client', 'Preview'].map(
    heading => codeBlocks(sectionOf('src/http/README.md', heading), 'ts')[0],
  );
  const exported = codeBlocks(sectionOf('src/http/README.md', 'Static export'), 'js').join('\n');
  const recipes = codeBlocks(sectionOf('src/http/README.md', 'Recipes'), 'js');
  const [, script = ''] = /<script type="module">(.*?)<\/script>/s.exec(http) ?? [];
  const pages = ['README.md', 'src/EMBEDDING.md'] as const;
  const embedding = pages.flatMap(page => codeBlocks(readPage(page), 'js'));
  assert.deepEqual([recipes.length, embedding.length], [2, 3]);
  const typescript = [client, preview + ofPreview];
  const javascript = [exported, script.replace('./client.js', 'vitrine/client'), ...recipes, ...embedding];
  await writeInto(join(dir, 'manual'), {
    'express.d.ts': express,
    ...Object.fromEntries(typescript.map((code, index) => [`${index}.mts`, code])),
    ...Object.fromEntries(javascript.map((code, index) => [`${index}.mjs`, code])),
  });
  const options = { allowJs: true, checkJs: true, types: ['node'], lib: ['es2022', 'dom', 'dom.iterable'] };
  for (const packages of compilers) await compile(packages, ['manual'], { ...options, skipLibCheck: true });
});
