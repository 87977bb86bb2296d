import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { parse } from 'yaml';
import { environmentName } from '../../src/settings/read.ts';
import { settingNames } from '../../src/settings/settings.ts';
import { afterTest } from '../support/after-test.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { listedMetrics } from '../support/manual.ts';
import { deployed, startLoadBalancer, startNginx } from '../support/nginx.ts';
import { execute, root } from '../support/package.ts';
import { commandLine, startProcess } from '../support/process.ts';
import { freePort } from '../support/programs.ts';
import { startRedis } from '../support/redis.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';

const pathOf = (name: string) => join(root, 'scripts/deploy', name);
const read = (name: string) => readFileSync(pathOf(name), 'utf8');
const settings = settingNames.map(environmentName);

for (const name of ['vitrine.service', 'vitrine@.service']) {
  test(`systemd knows each line of the unit as ${name}, and rates its exposure at most 2`, {
    skip: skipWithout('systemd-analyze'),
  }, async t => {
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

test('nginx in front of one instance forwards the API, and keeps the page and the metrics for operators', {
  skip: skipWithout('nginx'),
}, async t => {
  const service = await startService(t);
  const { http, server } = deployed('nginx.conf', [`http://127.0.0.1:${await service.listen()}`]);
  assert.match(server, /allow 127\.0\.0\.1;/);
  const nginx = await startNginx({ http, server: server.replace('allow 127.0.0.1;', '') });
  afterTest(t, nginx.stop);
  const statusOf = async (path: string) => (await fetch(`http://127.0.0.1:${nginx.port}${path}`)).status;
  for (const path of ['/api/news', '/api/news/1', '/robots.txt'])
    assert.equal(await statusOf(path), 200, path);
  assert.notEqual(await statusOf('/documentation'), 403);
  const own = ['/', '/health', '/metrics', '/overview', '/history', '/check', '/preview/2030-01-01/api/news'];
  for (const path of [...own, '/api/../metrics', '//metrics', '/%6detrics'])
    assert.equal(await statusOf(path), 403, path);
  assert.equal(service.services.reads.health().counted, 1);
});

test('instances of the unit on one machine count together behind nginx, which retries on others what one refuses', {
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
  const { address, stop } = await startLoadBalancer([`http://127.0.0.1:${await freePort()}`, ...addresses]);
  afterTest(t, stop);
  const servedBy = new Set<string | undefined>();
  for (let read = 101; read <= 110; read += 1) {
    const response = await fetch(`${address}/api/news/1`);
    // It names all that were tried.
    servedBy.add(response.headers.get('served-by')?.split(' ').at(-1));
    assert.match(await response.text(), new RegExp(`"read":${read}\\b`));
  }
  assert.equal(servedBy.size, instances.length);
});

test('Prometheus accepts the alerts', {
  skip: skipWithout('promtool'),
}, async () => {
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
  const selectors = Array.from(expression.matchAll(/(\w+) *(?:=~|!=|!~|=) *"/g), ([, label = '']) => label);
  const groupings = Array.from(expression.matchAll(/\bby \(([^)]*)\)/g), ([, labels = '']) =>
    labels.split(/, */),
  );
  for (const label of [...selectors, ...groupings.flat()])
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
