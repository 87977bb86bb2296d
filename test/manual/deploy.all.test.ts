import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { transformSync } from 'esbuild';
import { parse } from 'yaml';
import { environmentName } from '../../src/settings/read.ts';
import { settingNames } from '../../src/settings/settings.ts';
import { signature } from '../../src/webhook/webhook.ts';
import { sample, shop, writeFiles, writeInto } from '../support/catalogs.ts';
import { codeBlocks, consoleOutputs, listedMetrics, sectionOf } from '../support/manual.ts';
import { execute, root } from '../support/package.ts';
import { commandLine, startProcess } from '../support/process.ts';
import { freePort, startProgram } from '../support/programs.ts';
import { deployed, PURGE_TOKEN, startNginx, startVarnish } from '../support/proxies.ts';
import { startRedis } from '../support/redis.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';
import { until } from '../support/until.ts';
import { SECRET } from '../webhook/receiver.ts';

const pathOf = (name: string) => join(root, 'scripts/deploy', name);
const read = (name: string) => readFileSync(pathOf(name), 'utf8');
const settings = settingNames.map(environmentName);
const noSystemd = skipWithout('systemd-analyze');

for (const name of ['vitrine.service', 'vitrine@.service']) {
  test(`systemd knows the unit as ${name}, and rates it at most 2`, { skip: noSystemd }, async t => {
    const path = join(await writeFiles(t, { [name]: read('vitrine.service') }), name);
    // The threshold is in tenths; above it, systemd-analyze fails.
    await execute('systemd-analyze', ['security', '--offline=true', '--threshold=20', path]);
    // It also fails if the program is not installed where the unit expects it.
    const verified = await execute('systemd-analyze', ['verify', path]).catch(error => error);
    assert.doesNotMatch(verified.stderr, /Unknown|Failed to parse|ignoring/i);
  });
}

test('the unit keeps restarting after catalog errors, but not after a wrong setting', () => {
  const lines = read('vitrine.service').split('\n');
  for (const line of ['StartLimitIntervalSec=0', 'Restart=on-failure', 'RestartPreventExitStatus=2'])
    assert.ok(lines.includes(line), line);
  assert.ok(lines.some(line => /^RestartSec=[1-9]/.test(line)));
});

test('the compose file mounts the folders of the container file', () => {
  const { vitrine, redis } = parse(read('compose.yaml')).services;
  assert.equal(vitrine.environment.REDIS_URL, 'redis://redis:6379');
  assert.match(redis.command, /--appendonly yes --maxmemory-policy noeviction/);
  const container = read('Containerfile');
  const [, home] = /^WORKDIR (.*)$/m.exec(container) ?? [];
  for (const volume of vitrine.volumes) assert.ok(volume.includes(`:${home}/data/`), volume);
  assert.match(container, /ioredis/);
});

test('the settings that the files in scripts/deploy name exist', () => {
  const nginx = ['nginx.conf', 'nginx-replicas.conf', 'nginx-export.conf'];
  for (const name of [...nginx, 'vitrine.service', 'Containerfile', 'compose.yaml'])
    for (const [setting] of read(name).matchAll(/\b[A-Z]+_[A-Z_]+(?=[=,:])/g))
      assert.ok(settings.includes(setting), `${name}: ${setting}`);
});

for (const cache of [false, true])
  test(`nginx forwards the API, keeps the page and the metrics for operators, and counts each read once${cache ? ', also if it keeps answers' : ''}`, {
    skip: skipWithout('nginx'),
  }, async t => {
    const service = await startService(t, shop, { cacheMaxAge: 60 });
    const { http, server } = deployed('nginx.conf', [`http://127.0.0.1:${await service.listen()}`]);
    assert.match(server, /allow 127\.0\.0\.1;/);
    const [path = '', locations = ''] = codeBlocks(sectionOf(PAGE, 'nginx'), 'nginx');
    const kept = path.replace('/var/cache/nginx/vitrine', join(await writeFiles(t, {}), 'cache'));
    const nginx = await startNginx(t, {
      http: cache ? kept + http : http,
      server: server
        .replace('allow 127.0.0.1;', '')
        .replace('  location', cache ? `${locations}\n  location` : '$&'),
    });
    const address = `http://127.0.0.1:${nginx.port}`;
    const statusOf = async (path: string) => (await fetch(address + path)).status;
    await assertCounts(address, service);
    for (const path of ['/robots.txt', PRODUCTS]) assert.equal(await statusOf(path), 200, path);
    assert.notEqual(await statusOf('/documentation'), 403);
    const own = '/ /health /metrics /overview /history /check /preview/2030-01-01/api/news'.split(' ');
    for (const path of [...own, '/api/../metrics', '//metrics', '/%6detrics'])
      assert.equal(await statusOf(path), 403, path);
    await service.app.close();
    assert.equal(await statusOf(PRODUCTS), cache ? 200 : 502, 'what is kept');
    assert.equal(await statusOf('/api/news-types'), 502);
  });

test('instances of the unit count together behind nginx, which retries on others', {
  skip: skipWithout('nginx') || skipWithout('redis-server'),
}, async t => {
  const redis = await startRedis(t);
  const dir = await writeFiles(t, shop);
  const [, flags = ''] = /^ExecStart=\/usr\/bin\/node (.*) node_modules/m.exec(read('vitrine.service')) ?? [];
  assert.equal(commandLine[0], flags);
  const start = async () => {
    const port = String(await freePort());
    const unit = read('vitrine.service').replaceAll('%i', port).replaceAll('%N', `vitrine@${port}`);
    const lines = Array.from(unit.matchAll(/^Environment=(.*)=(.*)$/gm), ([, name, value]) => [name, value]);
    const { STATE_DIR, ...environment } = Object.fromEntries(lines);
    assert.ok(unit.includes(`\nStateDirectory=${basename(STATE_DIR)}\n`), STATE_DIR);
    // As in /etc/vitrine.env.
    const proxy = { KEEP_ALIVE_MS: '65000', TRUST_PROXY: '127.0.0.1' };
    const shared = { REDIS_URL: redis.url, CATALOG_DIR: dir, ...proxy };
    return startProcess(t, [], { ...environment, ...shared, STATE_DIR: join(dir, STATE_DIR) });
  };
  const instances = [await start(), await start()];
  const addresses = await Promise.all(instances.map(one => one.listening()));
  addresses.unshift(`http://127.0.0.1:${await freePort()}`);
  const { http, server } = deployed('nginx-replicas.conf', addresses);
  const named = `${server}\n  add_header Served-By $upstream_addr always;`;
  const nginx = await startNginx(t, { http, server: named });
  const servedBy = new Set<string | undefined>();
  for (let read = 101; read <= 110; read += 1) {
    const response = await fetch(`http://127.0.0.1:${nginx.port}/api/news/1`);
    // It names all that were tried.
    servedBy.add(response.headers.get('served-by')?.split(' ').at(-1));
    assert.match(await response.text(), new RegExp(`"read":${read}\\b`));
  }
  assert.equal(servedBy.size, instances.length);
});

test('Prometheus accepts the alerts', { skip: skipWithout('promtool') }, async () => {
  await execute('promtool', ['check', 'rules', pathOf('alerts.yml')]);
  await execute('promtool', ['check', 'config', pathOf('prometheus.yml')]);
});

const metrics = listedMetrics();
/** Prometheus adds these to every metric, or to the buckets of one. */
const ADDED = ['job', 'instance', 'le'];

/** Asserts that every metric of an expression exists, and has the labels that the expression names. */
function checkExpression(expression: string): void {
  const named = Array.from(expression.matchAll(/\b(?:vitrine|http|process|nodejs)_\w+/g), String);
  const known = named.flatMap(
    name => metrics.get(name.replace(/_(bucket|count|sum)$/, '')) ?? assert.fail(name),
  );
  const selectors = expression.match(/\w+(?= *(?:=~|!=|!~|=) *")/g) ?? [];
  const groupings = expression.match(/(?<=\bby \()[^)]*/g)?.flatMap(labels => labels.split(/, */)) ?? [];
  for (const label of [...selectors, ...groupings])
    assert.ok([...known, ...ADDED].includes(label), `${label} in ${expression}`);
}

test('the alerts use metrics and labels that exist, and say what to do', () => {
  const { groups } = parse(read('alerts.yml'));
  for (const { alert, expr, annotations } of groups[0].rules) {
    checkExpression(expr);
    assert.match(annotations.summary + annotations.description, /\. ?/, alert);
  }
  assert.ok(groups[0].rules.length > 5);
});

test('the dashboard uses metrics and labels that exist', () => {
  const { panels, templating } = JSON.parse(read('dashboard.json'));
  const queries = templating.list.flatMap(({ query }: { query: string | { query: string } }) =>
    typeof query === 'object' ? [query.query] : [],
  );
  assert.equal(queries.length, 2);
  for (const query of queries) checkExpression(query.replace(/^label_values\((.*), \w+\)$/, '$1'));
  for (const { title, targets } of panels)
    for (const { expr } of targets) {
      assert.ok(expr, title);
      checkExpression(expr);
    }
});

test('the GitHub workflow runs .ci/run, and skips nothing', () => {
  const { jobs } = parse(readFileSync(join(root, '.github/workflows/ci.yml'), 'utf8'));
  assert.equal(jobs.ci.env.CI, 1);
  assert.ok(jobs.ci.steps.some((step: { run?: string }) => step.run === '.ci/run'));
});

const PAGE = 'scripts/deploy/cdn/README.md';
const PRODUCTS = '/api/products';

/** Starts the receiver that purges this Varnish; resolves to its address. */
async function startReceiver(t: TestContext, varnish: string): Promise<string> {
  const script = pathOf('cdn/purge.mjs');
  const port = await freePort();
  const settings = { WEBHOOK_SECRET: SECRET, PURGE_TOKEN, VARNISH: varnish, PORT: String(port) };
  const env = { ...process.env, ...settings };
  await startProgram(t, [process.execPath, script], { env }).says(/listening on/);
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
  assert.equal(await ban(PURGE_TOKEN, 'products) || (1'), 400);
  assert.equal(await ban(PURGE_TOKEN, 'news|prices'), 204);
  const etag = String((await ask(PRODUCTS)).headers.get('etag'));
  assert.equal((await ask(PRODUCTS, { headers: { 'if-none-match': etag } })).status, 304);
  const [first = assert.fail(), ...others] = shop['products.json'] as { name: string }[];
  const renamed = { 'products.json': [{ ...first, name: 'Renamed' }, ...others] };
  const isAccepted = async () => service.services.webhook?.health().waiting === 0;
  await until(t, isAccepted);
  await writeInto(service.settings.catalogDir, renamed);
  await until(t, async () => (await (await ask(PRODUCTS)).text()).includes('"Renamed"'));
  await until(t, isAccepted);
  // Nothing purges it once more.
  await ask(PRODUCTS);
  await service.app.close();
  assert.equal((await ask(PRODUCTS)).status, 200, 'it is kept');
  assert.equal(await ban(PURGE_TOKEN, 'products'), 204);
  assert.equal((await ask(PRODUCTS)).status, 503, 'it is purged');
});
