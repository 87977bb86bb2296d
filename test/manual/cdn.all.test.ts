import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { transformSync } from 'esbuild';
import { signature } from '../../src/webhook/delivery.ts';
import { afterTest } from '../support/after-test.ts';
import { sample, shop, writeFiles } from '../support/catalogs.ts';
import { PAGE, startVarnish } from '../support/cdn/varnish.ts';
import { verifyCdn } from '../support/cdn/verify.ts';
import { codeBlocks, consoleOutputs, sectionOf } from '../support/manual.ts';
import { startNginx } from '../support/nginx.ts';
import { deployed } from '../support/replicas/load-balancer.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';
import { SECRET } from '../support/webhook/receiver.ts';

const PRODUCTS = '/api/products';

async function readOf(answer: Response): Promise<number> {
  const { data } = (await answer.json()) as { data: { read: number } };
  return data.read;
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

test('Varnish as in the manual has no answer older than a second after the webhook, and asks for few again', {
  skip: skipWithout('varnishd'),
}, async t => {
  const { hits, repeated, stale, webhooks } = await verifyCdn({
    ...{ changes: 24, moments: 4, gap: 2, reloads: 4, clients: 8 },
  });
  t.diagnostic(`${hits} hits of ${repeated}`);
  assert.deepEqual(stale, []);
  assert.ok(webhooks.reload >= 5, String(webhooks.reload));
  assert.ok(hits / repeated > 0.95, `${hits} of ${repeated}`);
});

test('Varnish as in the manual counts each read once, hides its tags, and obeys nobody without the token', {
  skip: skipWithout('varnishd'),
}, async t => {
  const service = await startService(t, shop, { cacheMaxAge: 60 });
  const varnish = await startVarnish(await service.listen());
  afterTest(t, varnish.stop);
  const ask = (path: string, options: RequestInit = {}) => fetch(varnish.address + path, options);
  for (const read of [101, 102]) assert.equal(await readOf(await ask('/api/news/1')), read);
  assert.equal((await ask('/api/news/1', { method: 'HEAD' })).status, 200);
  assert.equal(service.services.reads.health().counted, 2);
  for (const path of ['/', '/health', '/metrics', '/overview'])
    assert.equal((await ask(path)).status, 403, path);
  for (const path of [PRODUCTS, PRODUCTS]) {
    const { headers } = await ask(path, { headers: { cookie: 'of=the site' } });
    assert.equal(headers.get('cache-control'), 'no-cache');
    for (const name of ['cache-tag', 'surrogate-key', 'cdn-cache-control', 'age'])
      assert.equal(headers.get(name), null, name);
  }
  for (const [token, tags, status] of [
    ['Bearer wrong', 'products', 403],
    ['Bearer a-token-of-the-tests', 'products) || (1', 400],
    ['Bearer a-token-of-the-tests', 'news|prices', 204],
  ] as const)
    assert.equal(
      (await ask(PRODUCTS, { method: 'BAN', headers: { authorization: token, 'ban-tags': tags } })).status,
      status,
    );
  const etag = String((await ask(PRODUCTS)).headers.get('etag'));
  assert.equal((await ask(PRODUCTS, { headers: { 'if-none-match': etag } })).status, 304);
  await service.app.close();
  assert.equal((await ask(PRODUCTS)).status, 200, 'it is kept');
  const purge = { authorization: 'Bearer a-token-of-the-tests', 'ban-tags': 'products' };
  await ask(PRODUCTS, { method: 'BAN', headers: purge });
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
  const ask = (path: string, method = 'GET') => fetch(`http://127.0.0.1:${nginx.port}${path}`, { method });
  for (const read of [101, 102]) assert.equal(await readOf(await ask('/api/news/1')), read);
  assert.equal((await ask('/api/news/1', 'HEAD')).status, 200);
  assert.equal(service.services.reads.health().counted, 2);
  assert.equal((await ask(PRODUCTS)).status, 200);
  await service.app.close();
  assert.equal((await ask(PRODUCTS)).status, 200, 'it is kept');
  assert.equal((await ask('/api/news-types')).status, 502);
});
