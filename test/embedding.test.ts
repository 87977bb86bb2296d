import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import Fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import {
  type AppOptions,
  CatalogError,
  createVitrine,
  StateInUseError,
  UsageError,
  type VitrineOptions,
  type VitrinePluginOptions,
  vitrine,
} from '../src/index.ts';
import { afterTest } from './support/after-test.ts';
import { newsUrl, shop, shopWith, writeFiles } from './support/catalogs.ts';
import { oldestPackages } from './support/package.ts';
import { childrenOf, isLinux } from './support/programs.ts';
import { bearer, cookie, previewToken } from './support/service.ts';
import { skipWithoutBuild } from './support/skipping.ts';
import { until } from './support/until.ts';
import { listen } from './support/wire.ts';
import './support/reader-pool.ts';

/** The oldest Fastify that a host of the plugin may have. */
async function oldestFastify(): Promise<typeof Fastify> {
  return (await import(join(oldestPackages ?? '', 'fastify', 'fastify.js'))).default;
}

/** Each Fastify that a host of the plugin may have here, by its version. */
const fastifies = [Fastify, ...(oldestPackages === undefined ? [] : [await oldestFastify()])].map(
  fastify => [fastify().version, fastify] as const,
);

/** Options of a service whose files and state lie in this directory. */
const optionsOf = (dir: string, state = 'state') => ({
  ...{ catalogDir: dir, imagesDir: dir, stateDir: join(dir, state) },
});

/** The app of createVitrine over the shop; it is closed after the test. */
async function ownApp(t: TestContext, more: VitrineOptions & AppOptions = {}) {
  const options = optionsOf(await writeFiles(t, shop));
  const app = await createVitrine({ ...options, logLevel: 'silent', ...more });
  afterTest(t, () => app.close());
  return { app, options };
}

function hostOf(
  t: TestContext,
  fastify: typeof Fastify,
  plugins: Record<string, VitrinePluginOptions>,
  options: object = {},
) {
  const host = fastify({ pluginTimeout: 0, ...options });
  afterTest(t, () => host.close());
  for (const [prefix, ofPlugin] of Object.entries(plugins)) host.register(vitrine, { prefix, ...ofPlugin });
  return host;
}

function inHosts(name: string, run: (t: TestContext, fastify: typeof Fastify) => Promise<void>): void {
  for (const [version, fastify] of fastifies) test(`${name} (Fastify ${version})`, t => run(t, fastify));
}

test('createVitrine gives a Fastify app with hooks, routes and a handler, which refuses requests once it is closed', async t => {
  const { app, options } = await ownApp(t);
  app.addHook('onRequest', async (_request, reply) => void reply.header('x-seen', 'yes'));
  const number = { type: 'object', properties: { number: { type: 'integer' } } };
  const schema = { querystring: number, response: { 200: number } };
  app.get('/half', { schema }, request => ({
    number: Number(Object.values(request.query ?? {})[0]) / 2,
    more: 1,
  }));
  const byHandler = await listen(t, createServer(app.handler));
  const ask = async (url: string) => {
    const response = await fetch(url, { headers: { connection: 'close' } });
    const { status, headers } = response;
    return { status, seen: headers.get('x-seen'), body: await response.text() };
  };
  for (const address of [await app.listen({ port: 0 }), byHandler]) {
    for (const path of ['/api/news', '/api/recommend-config?product_id=1', '/health', '/api/news/1'])
      assert.deepEqual({ ...(await ask(address + path)), body: '' }, { status: 200, seen: 'yes', body: '' });
    assert.equal((await ask(`${address}/half?number=8`)).body, '{"number":4}');
    assert.equal((await ask(`${address}/half?number=x`)).status, 400);
  }
  await app.close();
  assert.match((await ask(`${byHandler}/api/news`)).body, /"code":503.*"STOPPING"/);
  const { app: next } = await ownApp(t, options);
  assert.equal((await next.inject('/api/news/1')).json().data.read, 103, 'the next service counts on');
});

/** How many resources the process has, without histograms of metrics, which stay until they are collected. */
function resourcesLeft(): number {
  return process.getActiveResourcesInfo().filter(name => name !== 'IntervalHistogram').length;
}

test('an app of createVitrine hears signals once it listens and logs requests, as its options say, and leaves nothing', async t => {
  for (const [signals, listeners, logLevel, messages] of [
    [true, 1, 'info', []],
    [false, 0, 'debug', ['incoming request /api/news?limit=1', 'request completed 200']],
  ] as const) {
    const before = process.listenerCount('SIGTERM');
    const resources = resourcesLeft();
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: line => void lines.push(line) });
    const { app } = await ownApp(t, { signals, logger, logLevel });
    await app.inject('/api/news?limit=1');
    const entries = lines.map(line => JSON.parse(line)).filter(({ reqId }) => reqId);
    const seen = entries.map(({ msg, req, res }) => `${msg} ${req?.url ?? res.statusCode}`);
    assert.deepEqual(seen, messages);
    assert.equal(process.listenerCount('SIGTERM'), before);
    await app.listen({ port: 0 });
    assert.equal(process.listenerCount('SIGTERM'), before + listeners);
    await app.close();
    assert.equal(process.listenerCount('SIGTERM'), before);
    await until(t, async () => resourcesLeft() <= resources);
  }
});

inHosts('plugins serve a catalog each, and leave the rest of the host alone', async (t, fastify) => {
  const [one, two] = [await writeFiles(t, shop), await writeFiles(t, shopWith({ 'news.json': [] }))];
  const listeners = process.listenerCount('SIGTERM');
  const lines: string[] = [];
  const logger = { level: 'info', stream: { write: (line: string) => lines.push(line) } };
  const plugins = {
    '/one': optionsOf(one),
    '/two': optionsOf(two),
    '/limited': { ...optionsOf(one, 'limited'), rateLimit: 1 },
    '/shops/:any': { ...optionsOf(one, 'any'), previewToken },
  };
  const host = hostOf(t, fastify, plugins, { logger });
  host.setErrorHandler((error: Error, _request, reply) => reply.code(418).send(`host: ${error.message}`));
  for (const url of ['/own', '/shops/any/own'])
    host.route({ method: ['GET', 'POST'], url, handler: () => 'host' });
  host.get('/fails', () => {
    throw new Error('of the host');
  });
  const post = { method: 'POST', payload: 'x' } as const;
  const ask = async (url: string, request: object = {}) => {
    const { statusCode, body, headers } = await host.inject({ url, ...request });
    return { status: statusCode, body, headers };
  };
  const answers: [url: string, status: number, body: RegExp, request?: object][] = [
    ['/one/api/news/1', 200, /"read":101/],
    ['/one/api/news/1', 200, /"read":102/],
    ['/two/api/news', 200, /"total":0/],
    ['/one/nothing', 404, /"ROUTE_NOT_FOUND"/],
    ['/one/api/news/x', 400, /"INVALID_PARAMETER"/],
    ['/limited/api/news', 200, /"total":4/],
    ['/limited/api/news', 429, /"TOO_MANY_REQUESTS"/],
    ['/limited/nothing', 429, /"TOO_MANY_REQUESTS"/],
    ['/limited/health/ready', 200, /"ready"/],
    ['/one/feeds/news.json', 404, /"ROUTE_NOT_FOUND"/],
    ['/one/overview/prices?product_id=1', 200, /"durations"/],
    ['/one/metrics', 200, /route="\/one\/api\/news\/:id",status_code="200"\} 2$/m],
    ['/shops/any/history', 200, /"list"/, { headers: bearer }],
    ['/shops/any/history', 404, /"ROUTE_NOT_FOUND"/],
    ['/shops/any/history/unpin', 200, /"unpin"/, { ...post, headers: bearer }],
    ['/shops/any/history/unpin', 404, /"ROUTE_NOT_FOUND"/, { ...post, headers: { cookie } }],
  ];
  for (const [url, status, body, request] of answers) {
    const answer = await ask(url, request);
    assert.deepEqual([answer.status, answer.headers['x-content-type-options']], [status, 'nosniff'], url);
    assert.match(answer.body, body);
  }
  const entries: { level: number; msg: string; reqId?: string }[] = lines.map(line => JSON.parse(line));
  assert.equal(entries.filter(({ msg }) => msg.startsWith('catalogs loaded')).length, 4);
  const isFault = entries.some(({ level, reqId }) => level > 30 && reqId);
  assert.ok(!isFault, 'requests are logged as those of the host');
  await host.listen({ port: 0 });
  assert.equal(process.listenerCount('SIGTERM'), listeners);
  // Bodies are ignored below the history alone.
  const unknownType = { ...post, headers: { 'content-type': 'what/ever' } };
  for (const [url, status, body, request] of [
    ['/own', 200, /^host$/],
    ['/own', 200, /^host$/],
    ['/shops/any/own', 418, /^host: Unsupported Media Type/, unknownType],
    ['/fails', 418, /^host: of the host$/],
    ['/nothing', 404, /"Not Found"/],
  ] as const) {
    const answer = await ask(url, request);
    assert.equal(answer.status, status, url);
    assert.match(answer.body, body);
    for (const name of ['x-content-type-options', 'ratelimit-limit', 'catalog-version'])
      assert.equal(answer.headers[name], undefined, name);
  }
});

test('a host keeps its own robots.txt and docs, and has the page below the prefix', async t => {
  const dir = await writeFiles(t, shop);
  const host = hostOf(t, Fastify, { '': optionsOf(dir, 'one'), '/two': optionsOf(dir, 'two') });
  for (const path of ['/robots.txt', '/docs']) host.get(path, () => 'of the host');
  for (const path of ['/robots.txt', '/docs']) {
    assert.equal((await host.inject(path)).body, 'of the host');
    assert.notEqual((await host.inject(`/two${path}`)).body, 'of the host');
  }
  assert.match((await host.inject('/two/robots.txt')).body, /^Disallow: \/two\/api\/$/m);
  assert.equal((await host.inject('/two')).headers.location, './two/');
  assert.equal((await host.inject('/two/')).headers['content-type'], 'text/html; charset=utf-8');
});

test('wrong options and broken catalogs are different errors, which have their names', async t => {
  const broken = shopWith({
    'products.json': null,
    'products.csv': Buffer.from('id,name\n1,\x93\n', 'latin1'),
  });
  const dir = await writeFiles(t, broken);
  await assert.rejects(createVitrine(optionsOf(dir)), error => {
    assert.ok(error instanceof CatalogError);
    assert.match(String(error.stack), /^CatalogError: /);
    const [{ severity, code, file, line } = assert.fail(error.message)] = error.problems;
    assert.deepEqual([severity, code, file, line], ['error', 'BAD_ENCODING', 'products.csv', 2]);
    return true;
  });
  for (const [option, message] of [
    ['stateDirs', 'unknown option: stateDirs; did you mean stateDir?'],
    ['logger', 'unknown option: logger'],
    ['port', 'port: not an option of the plugin; the app that has it decides this'],
    ['drainMs', 'drainMs: not an option of the plugin; the app that has it decides this'],
  ] as const) {
    const host = hostOf(t, Fastify, { '/shop': { [option]: 1 } });
    await assert.rejects(async () => host.ready(), { name: 'UsageError', message });
  }
});

const LOGGER = 'logger: expected true, false or a logger such as that of pino; this one has no ';
/** Options of createVitrine that are wrong, and what the UsageError says. */
const wrongOptions: [options: unknown, message: string][] = [
  ['shop', 'options: expected an object, such as { catalogDir }'],
  [{ port: -1 }, 'port: expected a whole number from 0 to 65535, got "-1"'],
  [{ prefix: '/shop' }, 'unknown option: prefix'],
  [{ logger: console }, `${LOGGER}fatal, child`],
  [{ logger: { level: 'info' } }, `${LOGGER}t`],
];

test('each wrong option is a UsageError that names it, and the next start works', async t => {
  const dirs = optionsOf(await writeFiles(t, shop));
  const open = (options: unknown) => Reflect.apply(createVitrine, undefined, [options]);
  const resources = resourcesLeft();
  for (const [options, message] of wrongOptions) {
    const given = typeof options === 'object' ? { ...dirs, ...options } : options;
    await assert.rejects(open(given), error => {
      assert.ok(error instanceof UsageError, String(error));
      assert.ok(String(error).startsWith(`UsageError: ${message}`), String(error));
      return true;
    });
  }
  assert.equal(resourcesLeft(), resources);
  if (isLinux)
    await assert.rejects(
      open({ ...dirs, stateDir: '/proc/a/b' }),
      /^Error: the state directory \S+ cannot be/,
    );
  const urls = { catalogDir: pathToFileURL(dirs.catalogDir), imagesDir: pathToFileURL(dirs.imagesDir) };
  for (const more of [urls, { port: '80', strict: 1 }, { signals: null, corsOrigin: ['https://a.test'] }]) {
    const app = await open({ ...dirs, logger: false, ...more });
    const second = open({ ...dirs, logger: false });
    await assert.rejects(second, error => {
      assert.ok(error instanceof StateInUseError);
      assert.match(String(error), /^StateInUseError: .* in use by another service of this process: close /);
      return true;
    });
    assert.equal((await app.inject('/api/news')).statusCode, 200);
    await app.close();
  }
});

/** What a host may ask of every route. */
function strictly(host: FastifyInstance): void {
  const seen = new Set<string>();
  host.addHook('onRoute', ({ method, url, schema }) => {
    assert.ok(schema && !seen.has(`${method} ${url}`), `${method} ${url}`);
    seen.add(`${method} ${url}`);
  });
}

/** Options of a host, how its clients write `/Shop/api`, and what it does before it has plugins. */
const hosts: [options: object, write: (url: string) => string, prepare?: typeof strictly][] = [
  [{}, url => url],
  [{ ignoreTrailingSlash: true }, url => url.replace(/\/?$/, '/')],
  [{ caseSensitive: false }, url => url.replace(/^.*?api|^\/Shop/, start => start.toUpperCase())],
  [{ exposeHeadRoutes: false }, url => url],
  [{}, url => url, strictly],
];
const paths = [
  ...['', 'documentation/', 'documentation/json', 'docs', 'robots.txt', 'favicon.ico', 'page/main.js'],
  ...['api/news', 'api/news/1', 'api/products', 'api/news-types', 'api/recommend-config?product_id=1'],
  ...['api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1', 'images/launch.png'],
  ...['feeds/news.atom', 'changes', 'health', 'health/live', 'health/ready', 'metrics', 'history'],
  ...['overview', 'preview/2035-01-01/api/news', 'preview/2035-01-01/images/launch.png'],
];

inHosts('each endpoint answers in a host with other rules, below both prefixes', async (t, fastify) => {
  if (skipWithoutBuild()) return t.skip('the page is not built');
  const dir = await writeFiles(t, { ...shop, 'launch.png': 'image' });
  for (const [index, [options, write, prepare]] of hosts.entries()) {
    const host = hostOf(t, fastify, {}, options);
    prepare?.(host);
    for (const prefix of ['/Shop', '/Shop/other'])
      host.register(vitrine, { prefix, ...optionsOf(dir, `${index}${prefix}`), previewToken, newsUrl });
    for (const path of paths.flatMap(path => [`/Shop/${path}`, `/Shop/other/${path}`])) {
      const [name = '', query = ''] = path.split(/(?=\?)/);
      const { statusCode, headers } = await host.inject({ url: write(name) + query, headers: bearer });
      assert.equal(statusCode, path.endsWith('docs') ? 308 : 200, `${JSON.stringify(options)} ${path}`);
      const isShared = /(api|images|feeds)\/|changes|json/.test(path);
      assert.equal(headers['access-control-allow-origin'], isShared ? '*' : undefined, path);
    }
    await host.close();
  }
});

inHosts('a host that refuses a route gets its error, and keeps no lock', async (t, fastify) => {
  const options = optionsOf(await writeFiles(t, shop));
  const host = hostOf(t, fastify, {});
  host.addHook('onRoute', ({ url }) => assert.ok(!url.endsWith('/metrics'), 'no metrics here'));
  host.register(vitrine, { prefix: '/shop', ...options });
  await assert.rejects(async () => host.ready(), /no metrics here/);
  await ownApp(t, options);
});

inHosts('a service that opens after the host has given up on the plugin is closed', async (t, fastify) => {
  if (!isLinux) return t.skip('it counts processes');
  const options = optionsOf(await writeFiles(t, shop));
  const others = childrenOf();
  const host = hostOf(t, fastify, { '/shop': options }, { pluginTimeout: 1 });
  await assert.rejects(async () => host.ready(), { code: 'FST_ERR_PLUGIN_TIMEOUT' });
  await host.close();
  await until(t, async () => childrenOf().every(child => others.includes(child)));
  const { app } = await ownApp(t, options);
  assert.deepEqual((await app.inject('/health')).json().data.reasons, []);
});
