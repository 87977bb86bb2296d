import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { transformSync } from 'esbuild';
import { signature } from '../../src/webhook/webhook.ts';
import { afterTest } from '../support/after-test.ts';
import { sample, shop, writeFiles, writeInto } from '../support/catalogs.ts';
import { codeBlocks, consoleOutputs, sectionOf } from '../support/manual.ts';
import { deployed, startNginx } from '../support/nginx.ts';
import { root } from '../support/package.ts';
import {
  findProgram,
  freePort,
  removeDirectory,
  startProgram,
  temporaryDirectory,
} from '../support/programs.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';
import { SECRET } from '../support/webhook/receiver.ts';

const PAGE = 'scripts/deploy/cdn/README.md';
const PRODUCTS = '/api/products';
const TOKEN = 'a-token-of-the-tests';

/** Starts Debian's Varnish with the configuration of scripts/deploy/cdn in front of the service on this port. */
async function startVarnish(t: TestContext, servicePort: number): Promise<string> {
  const dir = temporaryDirectory();
  const port = await freePort();
  const path = join(dir, 'varnish.vcl');
  const vcl = readFileSync(join(root, 'scripts/deploy/cdn/varnish.vcl'), 'utf8');
  writeFileSync(path, vcl.replace('.port = "3000"', `.port = "${servicePort}"`).replace('CHANGE_ME', TOKEN));
  const program = await startProgram(
    findProgram('varnishd') ?? 'varnishd',
    [
      ...['-F', '-j', 'none', '-n', join(dir, 'varnish'), '-f', path, '-a', `127.0.0.1:${port}`],
      ...['-s', 'malloc,64m', '-p', 'thread_pool_min=5', '-p', 'vsl_space=1m'],
    ],
    { ready: /Child launched OK|said Child starts/, lastSignal: 'SIGTERM' },
  );
  afterTest(t, () => program.end('SIGTERM').then(() => removeDirectory(dir)));
  const address = `http://127.0.0.1:${port}`;
  // It listens a moment after it says that it starts.
  await until(t, () => fetch(address).catch(() => undefined));
  return address;
}

/** Starts the receiver that purges this Varnish; resolves to its address. */
async function startReceiver(t: TestContext, varnish: string): Promise<string> {
  const script = join(root, 'scripts/deploy/cdn/purge.mjs');
  const port = await freePort();
  const settings = { WEBHOOK_SECRET: SECRET, PURGE_TOKEN: TOKEN, VARNISH: varnish, PORT: String(port) };
  const program = await startProgram(process.execPath, [script], {
    ready: /listening on/,
    env: { ...process.env, ...settings },
  });
  afterTest(t, () => program.end('SIGTERM'));
  return `http://127.0.0.1:${port}/`;
}

/** A cache counts each read once: two that GET, none that asks for the head. */
async function assertCounts(address: string, { services }: Awaited<ReturnType<typeof startService>>) {
  for (const read of [101, 102]) {
    const { data } = (await (await fetch(`${address}/api/news/1`)).json()) as { data: { read: number } };
    assert.equal(data.read, read);
  }
  assert.equal((await fetch(`${address}/api/news/1`, { method: 'HEAD' })).status, 200);
  assert.equal(services.reads.health().counted, 2);
}

test('the headers of the page are those that the sample catalogs have', async t => {
  const { dispatch } = await startService(t, {}, { ...sample, cacheMaxAge: 60 });
  const [[command = '', output] = []] = consoleOutputs(PAGE);
  const [, url = ''] = /^curl -si 'http:\/\/127\.0\.0\.1:3000([^']+)'/.exec(command) ?? [];
  const { headers } = await dispatch(url);
  const lines = Object.entries(headers).filter(([name]) => /^(cache|cdn|surrogate)/.test(name));
  assert.equal(output, lines.map(([name, value]) => `${name}: ${value}`).join('\n'));
});

test('the code of the page accepts a signature, and refuses another one, another body and an old one', async () => {
  const [code = ''] = codeBlocks(sectionOf(PAGE, 'Signature'), 'ts');
  const module = transformSync(code, { loader: 'ts' }).code;
  const { isGenuine } = await import(`data:text/javascript,${encodeURIComponent(module)}`);
  const now = Math.floor(Date.now() / 1000);
  const headersAt = (time: number, text: string) => ({
    'webhook-id': 'msg_1',
    'webhook-timestamp': String(time),
    'webhook-signature': `v1,AAAA ${signature(SECRET, 'msg_1', String(time), text)}`,
  });
  const body = '{"type":"ü"}';
  assert.equal(isGenuine(body, headersAt(now, body), SECRET), true);
  assert.equal(isGenuine(`${body} `, headersAt(now, body), SECRET), false);
  assert.equal(isGenuine(body, headersAt(now, body), `whsec_${'A'.repeat(32)}`), false);
  assert.equal(isGenuine(body, headersAt(now - 400, body), SECRET), false);
  assert.equal(isGenuine(body, {}, SECRET), false);
});

test('Varnish as in the manual counts each read once, hides its tags, obeys nobody without the token, and has a change as soon as the receiver of the manual hears of it', {
  skip: skipWithout('varnishd'),
}, async t => {
  const port = await freePort();
  const varnish = await startVarnish(t, port);
  const webhook = { webhookUrl: await startReceiver(t, varnish), webhookSecret: SECRET };
  const service = await startService(t, shop, { cacheMaxAge: 3600, ...webhook });
  await service.app.listen({ port, host: '127.0.0.1' });
  const ask = (path: string, options: RequestInit = {}) => fetch(varnish + path, options);
  await assertCounts(varnish, service);
  for (const path of ['/', '/health', '/metrics', '/overview'])
    assert.equal((await ask(path)).status, 403, path);
  for (const path of [PRODUCTS, PRODUCTS]) {
    const { headers } = await ask(path, { headers: { cookie: 'of=the site' } });
    assert.equal(headers.get('cache-control'), 'no-cache');
    for (const name of ['cache-tag', 'surrogate-key', 'cdn-cache-control', 'age'])
      assert.equal(headers.get(name), null, name);
  }
  const ban = async (token: string, tags: string) =>
    (await ask(PRODUCTS, { method: 'BAN', headers: { authorization: `Bearer ${token}`, 'ban-tags': tags } }))
      .status;
  assert.equal(await ban('wrong', 'products'), 403);
  assert.equal(await ban(TOKEN, 'products) || (1'), 400);
  assert.equal(await ban(TOKEN, 'news|prices'), 204);
  const etag = String((await ask(PRODUCTS)).headers.get('etag'));
  assert.equal((await ask(PRODUCTS, { headers: { 'if-none-match': etag } })).status, 304);
  const [first = assert.fail(), ...others] = shop['products.json'] as { name: string }[];
  const renamed = { 'products.json': [{ ...first, name: 'Renamed' }, ...others] };
  await writeInto(service.settings.catalogDir, renamed);
  await until(t, async () => (await (await ask(PRODUCTS)).text()).includes('"Renamed"') || undefined);
  await service.app.close();
  assert.equal((await ask(PRODUCTS)).status, 200, 'it is kept');
  assert.equal(await ban(TOKEN, 'products'), 204);
  assert.equal((await ask(PRODUCTS)).status, 503, 'it is purged');
});

test('nginx as in the manual keeps answers and counts each read once', {
  skip: skipWithout('nginx'),
}, async t => {
  const service = await startService(t, shop, { cacheMaxAge: 60 });
  const { http, server } = deployed('nginx.conf', [`http://127.0.0.1:${await service.listen()}`]);
  const [path = '', locations = ''] = codeBlocks(sectionOf(PAGE, 'nginx'), 'nginx');
  const dir = await writeFiles(t, {});
  const nginx = await startNginx({
    http: path.replace('/var/cache/nginx/vitrine', join(dir, 'cache')) + http,
    server: server.replace('  location', `${locations}\n  location`),
  });
  afterTest(t, nginx.stop);
  const address = `http://127.0.0.1:${nginx.port}`;
  await assertCounts(address, service);
  assert.equal((await fetch(address + PRODUCTS)).status, 200);
  await service.app.close();
  assert.equal((await fetch(address + PRODUCTS)).status, 200, 'it is kept');
  assert.equal((await fetch(`${address}/api/news-types`)).status, 502);
});
