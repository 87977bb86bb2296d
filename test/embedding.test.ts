import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import Fastify from 'fastify';
import { pino } from 'pino';
import {
  type AppOptions,
  CatalogError,
  createVitrine,
  UsageError,
  type Vitrine,
  type VitrineOptions,
  vitrine,
} from '../src/index.ts';
import { afterTest } from './support/after-test.ts';
import { shop, shopWith, writeFiles, writeInto } from './support/catalogs.ts';
import { childrenOf, isLinux } from './support/children.ts';
import { fastifies } from './support/oldest.ts';
import { skipWithoutBuild } from './support/skipping.ts';
import { until } from './support/until.ts';

const execute = promisify(execFile);

/** The app of createVitrine over the shop; it is closed after the test. */
async function ownApp(t: TestContext, more: VitrineOptions & AppOptions = {}): Promise<Vitrine> {
  const dir = await writeFiles(t, shop);
  const options = { catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') };
  const app = await createVitrine({ ...options, logLevel: 'silent', ...more });
  afterTest(t, () => app.close());
  return app;
}

/** Tests in a host of each Fastify that is there. */
function testInHosts(name: string, run: (t: TestContext, fastify: typeof Fastify) => Promise<void>): void {
  for (const [version, fastify] of fastifies) test(`${name} (Fastify ${version})`, t => run(t, fastify));
}

test('createVitrine gives a Fastify app that listens and closes', async t => {
  const app = await ownApp(t);
  const address = await app.listen({ port: 0 });
  const response = await fetch(`${address}/api/news/1`);
  assert.equal(((await response.json()) as { data: { read: number } }).data.read, 101);
});

for (const [signals, listeners] of [
  [true, 1],
  [false, 0],
] as const) {
  test(`an app of createVitrine ${signals ? 'listens' : 'does not listen'} to signals with signals: ${signals}, and not when it is closed`, async t => {
    const before = process.listenerCount('SIGTERM');
    const app = await ownApp(t, { signals });
    assert.equal(process.listenerCount('SIGTERM'), before);
    await app.listen({ port: 0 });
    assert.equal(process.listenerCount('SIGTERM'), before + listeners);
    await app.close();
    assert.equal(process.listenerCount('SIGTERM'), before);
  });
}

test('hooks that are added to the app of createVitrine see every request', async t => {
  const app = await ownApp(t);
  app.addHook('onRequest', (_request, reply, done) => {
    reply.header('x-seen', 'yes');
    done();
  });
  const address = await app.listen({ port: 0 });
  for (const path of ['/api/news', '/api/news/1', '/api/recommend-config?product_id=1', '/health']) {
    assert.equal((await fetch(`${address}${path}`)).headers.get('x-seen'), 'yes', path);
  }
});

test('routes that are added to the app of createVitrine have their schemas compiled by Fastify', async t => {
  const app = await ownApp(t);
  const number = { type: 'object', properties: { number: { type: 'integer' } } };
  const schema = { querystring: number, response: { 200: number } };
  app.get('/half', { schema }, request => ({
    number: Number(Object.values(request.query ?? {})[0]) / 2,
    more: 1,
  }));
  const address = await app.listen({ port: 0 });
  assert.deepEqual(await (await fetch(`${address}/half?number=8`)).json(), { number: 4 });
  assert.equal((await fetch(`${address}/half?number=x`)).status, 400);
});

testInHosts(
  'the plugin serves two catalogs under two prefixes, and leaves the routes of the host alone',
  async (t, fastify) => {
    const host = fastify({ pluginTimeout: 0 });
    host.setErrorHandler((error: Error, _request, reply) => reply.code(418).send(`host: ${error.message}`));
    host.get('/fails', () => {
      throw new Error('of the host');
    });
    const one = await writeFiles(t, shop);
    const two = await writeFiles(
      t,
      shopWith({
        'products.json': [
          { id: 1, name: 'A' },
          { id: 2, name: 'B' },
        ],
      }),
    );
    afterTest(t, () => host.close());
    const options = (dir: string) => ({ catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') });
    host.register(vitrine, { prefix: '/one', ...options(one) });
    host.register(vitrine, { prefix: '/two', ...options(two) });

    const read = async (url: string) => (await host.inject(url)).json().data.read;
    assert.deepEqual(
      [await read('/one/api/news/1'), await read('/one/api/news/1'), await read('/two/api/news/1')],
      [101, 102, 101],
    );
    const versions = await Promise.all(
      ['/one/api/news', '/two/api/news'].map(
        async url => (await host.inject(url)).headers['catalog-version'],
      ),
    );
    assert.notEqual(versions[0], versions[1]);
    assert.equal((await host.inject('/one/nothing')).json().data.error, 'ROUTE_NOT_FOUND');
    assert.equal((await host.inject('/one/api/news/x')).json().data.error, 'INVALID_PARAMETER');
    const failed = await host.inject('/fails');
    assert.deepEqual([failed.statusCode, failed.body], [418, 'host: of the host']);
    assert.equal(failed.headers['catalog-version'], undefined);
    assert.equal((await host.inject('/nothing')).json().error, 'Not Found');
  },
);

testInHosts('limits and headers of the plugin apply to its own routes only', async (t, fastify) => {
  const host = fastify({ pluginTimeout: 0 });
  host.get('/own', () => 'host');
  const dir = await writeFiles(t, shop);
  afterTest(t, () => host.close());
  const options = { catalogDir: dir, imagesDir: dir, rateLimit: 1 };
  host.register(vitrine, { prefix: '/one', ...options, stateDir: join(dir, 'one') });
  host.register(vitrine, { prefix: '/two', ...options, stateDir: join(dir, 'two') });
  for (const prefix of ['/one', '/two']) {
    const statuses = [];
    for (const path of ['/api/news', '/api/news', '/nothing', '/health/ready']) {
      statuses.push((await host.inject(prefix + path)).statusCode);
    }
    assert.deepEqual(statuses, [200, 429, 429, 200]);
  }
  for (let count = 0; count < 3; count += 1) {
    const { statusCode, headers } = await host.inject('/own');
    assert.equal(statusCode, 200);
    assert.equal(headers['x-content-type-options'], undefined);
    assert.equal(headers['ratelimit-limit'], undefined);
  }
});

testInHosts('the plugin logs requests as the host does, whatever its own level is', async (t, fastify) => {
  const dir = await writeFiles(t, shop);
  const options = { catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') };
  const lines: string[] = [];
  const logger = { level: 'warn', stream: { write: (line: string) => lines.push(line) } };
  const host = fastify({ logger, pluginTimeout: 0 });
  afterTest(t, () => host.close());
  host.register(vitrine, { prefix: '/shop', ...options });
  for (const url of ['/shop/api/news', '/shop/health', '/shop/nothing']) await host.inject(url);
  assert.deepEqual(lines, []);
});

test('with logLevel debug, each request is logged when it arrives and when it is answered', async t => {
  for (const [logLevel, messages] of [
    ['info', []],
    ['debug', ['incoming request', 'request completed']],
  ] as const) {
    const lines: string[] = [];
    const logger = pino({ level: 'trace' }, { write: (line: string) => void lines.push(line) });
    const app = await ownApp(t, { logger, logLevel });
    await app.inject('/api/news?limit=1');
    const entries = lines.map(line => JSON.parse(line)).filter(({ reqId }) => reqId);
    assert.deepEqual(
      entries.map(({ msg }) => msg),
      messages,
    );
    if (logLevel === 'debug')
      assert.deepEqual([entries[0].req.url, entries[1].res.statusCode], ['/api/news?limit=1', 200]);
  }
});

test('wrong options and broken catalogs are different errors, which have their names', async t => {
  const dir = await writeFiles(t, shopWith({ 'products.json': '[' }));
  await assert.rejects(createVitrine({ catalogDir: dir }), error => {
    assert.ok(error instanceof CatalogError);
    assert.match(String(error.stack), /^CatalogError: /);
    const [{ severity, code, file, line } = assert.fail(error.message)] = error.problems;
    assert.deepEqual([severity, code, file, line], ['error', 'BAD_JSON', 'products.json', 1]);
    return true;
  });
  await assert.rejects(createVitrine({ port: -1 }), error => {
    assert.ok(error instanceof UsageError);
    assert.equal(String(error), 'UsageError: port: expected a whole number from 0 to 65535, got "-1"');
    return true;
  });
});

test('an unknown option is an error that names the nearest one', async t => {
  const options = { catalogDir: await writeFiles(t, shop) };
  for (const [option, message] of [
    ['catalogdir', 'unknown option: catalogdir; did you mean catalogDir?'],
    ['CATALOG_DIR', 'unknown option: CATALOG_DIR; did you mean catalogDir?'],
    ['prefix', 'unknown option: prefix'],
    ['constructor', 'unknown option: constructor'],
  ] as const)
    await assert.rejects(createVitrine({ ...options, [option]: '/shop' }), { name: 'UsageError', message });
  for (const [option, message] of [
    ['stateDirs', 'unknown option: stateDirs; did you mean stateDir?'],
    ['logger', 'unknown option: logger'],
    ['port', 'port: not an option of the plugin; the app that has it decides this'],
    ['drainMs', 'drainMs: not an option of the plugin; the app that has it decides this'],
  ] as const) {
    const host = Fastify({ pluginTimeout: 0 });
    host.register(vitrine, { prefix: '/shop', ...options, [option]: 1 });
    await assert.rejects(async () => host.ready(), { name: 'UsageError', message });
    await host.close();
  }
});

test('errors and the log name settings as options', async t => {
  const dir = await writeFiles(
    t,
    shopWith({ 'products.json': null, 'products.csv': Buffer.from('id,name\n1,\x93\n', 'latin1') }),
  );
  await assert.rejects(createVitrine({ catalogDir: dir }), error => {
    assert.ok(error instanceof CatalogError);
    const [problem = assert.fail(error.message)] = error.problems;
    for (const text of [error.message, String(error.stack), problem.message])
      assert.match(text, /, or ask your administrator to set csvEncoding/);
    return true;
  });
  await assert.rejects(
    createVitrine({ webhookUrl: 'https://shop.test' }),
    /^UsageError: webhookSecret: webhookUrl needs it/,
  );

  const stateDir = join(dir, 'state');
  const catalogDir = join(dir, 'later');
  const lines: string[] = [];
  const warn = (_fields: object, message: string) => {
    lines.push(message);
    void writeInto(catalogDir, shop);
  };
  const logger = Object.assign(pino({ level: 'silent' }), { warn });
  await ownApp(t, { logger, catalogDir, stateDir });
  assert.match(String(lines[0]), /does not exist yet: create it, or set catalogDir$/);
  await assert.rejects(
    ownApp(t, { stateDir }),
    /in use by process \d+ on .*: stop it, or set another stateDir$/,
  );
});

test('after close nothing is left in the process, and it exits by itself', {
  skip: skipWithoutBuild(),
}, async t => {
  const dirs = await Promise.all([writeFiles(t, shop), writeFiles(t, shop)]);
  const host = fileURLToPath(new URL('support/embedding-host.ts', import.meta.url));
  const { stdout } = await execute(process.execPath, ['--import', import.meta.resolve('tsx'), host, ...dirs]);
  const { statuses, left } = JSON.parse(stdout);
  assert.deepEqual(new Set(statuses), new Set([200]));
  assert.deepEqual(left, { resources: [], handles: [], workers: 0, listeners: [0, 0, 0, 0] });
});

testInHosts(
  'services that open after the host has given up on the plugin are closed with the host',
  async (t, fastify) => {
    if (!isLinux) return t.skip('it counts processes');
    const dir = await writeFiles(t, shop);
    const options = { catalogDir: dir, imagesDir: dir, stateDir: join(dir, 'state') };
    const others = childrenOf();
    const host = fastify({ pluginTimeout: 1 });
    host.register(vitrine, options);
    await assert.rejects(async () => host.ready(), { code: 'FST_ERR_PLUGIN_TIMEOUT' });
    await host.close();
    await until(t, async () => childrenOf().every(child => others.includes(child)) || undefined);
    const next = await ownApp(t, options);
    assert.deepEqual((await next.inject('/health')).json().data.reasons, []);
  },
);

test('the handler refuses requests after close', async t => {
  const app = await ownApp(t);
  const server = createServer(app.handler).listen(0, '127.0.0.1');
  afterTest(t, () => server.close());
  await once(server, 'listening');
  const address = server.address();
  assert.ok(address && typeof address === 'object');
  const read = async () => {
    const response = await fetch(`http://127.0.0.1:${address.port}/api/news/1`, {
      headers: { connection: 'close' },
    });
    return { status: response.status, body: (await response.json()) as { data: { error?: string } } };
  };
  assert.equal((await read()).status, 200);
  await app.close();
  const { status, body } = await read();
  assert.deepEqual([status, body.data.error], [503, 'STOPPING']);
});

test('after close the next service can use the state directory, and continues the counts', async t => {
  const dir = await writeFiles(t, shop);
  const options = {
    catalogDir: dir,
    imagesDir: dir,
    stateDir: join(dir, 'state'),
    logLevel: 'silent',
  } as const;
  const reads = [];
  for (let run = 0; run < 2; run += 1) {
    const app = await createVitrine(options);
    reads.push((await app.inject('/api/news/1')).json().data.read);
    await app.close();
  }
  assert.deepEqual(reads, [101, 102]);
});
