import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, type TestFn, test as testOfNode } from 'node:test';
import { pathToFileURL } from 'node:url';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { readPage } from '../support/manual.ts';
import { execute, oldestPackages, root } from '../support/package.ts';
import { resolving } from '../support/process.ts';
import { freePort } from '../support/programs.ts';
import { startCluster, startRedis, startSentinel, startTlsSentinel } from '../support/redis.ts';
import { skipWithout } from '../support/skipping.ts';
import { NEVER } from '../support/stores.ts';

const skip = skipWithout('redis-server') || skipWithout('openssl');
const test = (name: string, run: TestFn) => void testOfNode(name, { skip }, run);
const manual = readPage('scripts/deploy/README.md');
const [, user = ''] = /^ACL SETUSER (.*)$/m.exec(manual) ?? [];
const [, forDatabase = ''] = /other than 0,\s+add\s+`([^`]*)`/.exec(manual) ?? [];
const [, forCluster = ''] = /For a cluster,\s+add\s+`([^`]*)`/.exec(manual) ?? [];
const [, forSentinel = ''] = /Sentinels with users,\s+add\s+`([^`]*)`/.exec(manual) ?? [];

type TestRedis = Awaited<ReturnType<typeof startRedis>>;

/** Lets the user of the guide in, with this password, and nobody else. */
async function guard(t: TestContext, { client }: TestRedis, more = '', password = 'password'): Promise<void> {
  await client.call('ACL', 'SETUSER', ...`${user} ${more} >${password}`.replace('  ', ' ').split(' '));
  await client.config('SET', 'requirepass', 'another');
  afterTest(t, async () => assert.deepEqual(await client.call('ACL', 'LOG'), []));
}

const withLogin = (url: string, password = 'password') => url.replace('//', `//vitrine:${password}@`);

/** The options of a Redis that takes TLS with a certificate of a private CA, and that CA, made with openssl. */
async function tlsOptions(t: TestContext) {
  const dir = await writeFiles(t, {});
  const [ca, caKey] = [join(dir, 'ca.pem'), join(dir, 'ca.key')];
  const [certificate, key] = [join(dir, 'redis.pem'), join(dir, 'redis.key')];
  const curve = ['-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:P-256', '-nodes'];
  const make = (out: string, keyOut: string, ...options: string[]) =>
    execute('openssl', ['req', '-x509', ...curve, '-out', out, '-keyout', keyOut, ...options]);
  await make(ca, caKey, '-subj', '/CN=Private CA');
  const extensions = ['subjectAltName=IP:127.0.0.1', 'basicConstraints=critical,CA:FALSE'];
  const added = extensions.flatMap(extension => ['-addext', extension]);
  await make(certificate, key, '-CA', ca, '-CAkey', caKey, '-subj', '/CN=redis', ...added);
  const files = ['--tls-cert-file', certificate, '--tls-key-file', key, '--tls-ca-cert-file', ca];
  return { ca, options: [...files, '--tls-auth-clients', 'no'] };
}

/**
 * Counts as two services do, one after the other, so that every script runs by its text and by its hash. Returns the last
 * count, or why counting is degraded.
 */
async function countAt(t: TestContext, urls: string[], ca?: string, packages = {}): Promise<string> {
  const stateDir = await writeFiles(t, {});
  const place = { stateDir, redisUrl: urls, redisPrefix: 'vitrine', flushIntervalMs: NEVER };
  const code = `import { openReads } from '${root}/src/reads/open.ts';
    for (const floor of [3, 0]) {
      const counter = await openReads(${JSON.stringify(place)}, { info() {}, warn() {}, error() {} });
      await counter.raise(1, floor);
      const count = await counter.raise(1, 0);
      await counter.flush();
      const { reasons } = counter.health();
      if (floor === 0 || reasons.length > 0) console.log(reasons[0] ?? count);
      await counter.close();
      if (reasons.length > 0) break;
    }`;
  const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', code];
  const env = { ...process.env, ...packages, ...(ca && { NODE_EXTRA_CA_CERTS: ca }) };
  return (await execute(process.execPath, args, { env })).stdout.trim();
}

const oldest = pathToFileURL(join(oldestPackages ?? '', 'ioredis/built/index.js')).href;
const withOldest = resolving('ioredis', `return next('${oldest}', context)`);

/** The commands that this Redis was asked for and that Redis 6.0 did not have. */
async function newerCommands({ client }: TestRedis): Promise<string[]> {
  const names = (await client.info('commandstats')).match(/(?<=^cmdstat_)[^:]+/gm) ?? assert.fail();
  const newer: string[] = [];
  for (const name of names) {
    const [, documented] = (await client.call('COMMAND', 'DOCS', name)) as [string, string[]];
    // ioredis names itself where Redis has this command.
    if (Number.parseFloat(documented[3] ?? '') > 6 && name !== 'client|setinfo') newer.push(name);
  }
  return newer;
}

/** Where Redis may be, and the URLs that lead there; the CA if they need one. */
const deployments: Record<string, (t: TestContext) => Promise<{ urls: string[]; ca?: string }>> = {
  async 'one Redis, as the user of the guide'(t) {
    const redis = await startRedis(t);
    await guard(t, redis, '', 's@cret');
    afterTest(t, async () => assert.deepEqual(await newerCommands(redis), []));
    return { urls: [withLogin(redis.url, 's%40cret')] };
  },
  async 'another database, as the user of the guide'(t) {
    const redis = await startRedis(t);
    await guard(t, redis, forDatabase);
    afterTest(t, async () => assert.match(await redis.client.info('keyspace'), /db1:keys=2/));
    return { urls: [withLogin(`${redis.url}/1`)] };
  },
  async 'a cluster by the node without the keys, as the user of the guide'(t) {
    const { nodes, nodesFor } = await startCluster(t);
    for (const node of nodes) await guard(t, node, forCluster);
    const [, other] = await nodesFor('vitrine:{reads}:counts');
    return { urls: [withLogin(other.url)] };
  },
  async 'a cluster by all of its nodes, with one login for all'(t) {
    const { nodes } = await startCluster(t);
    for (const node of nodes) await guard(t, node, forCluster);
    return { urls: [nodes[0].url, withLogin(nodes[1].url)] };
  },
  async 'one Redis with TLS, whose private CA needs NODE_EXTRA_CA_CERTS'(t) {
    const { options, ca } = await tlsOptions(t);
    const port = await freePort();
    await startRedis(t, [...options, '--tls-port', String(port)]);
    const urls = [`rediss://127.0.0.1:${port}`];
    assert.match(await countAt(t, urls), /self-signed certificate/);
    return { urls, ca };
  },
  async 'a cluster with TLS'(t) {
    const { options, ca } = await tlsOptions(t);
    const ports: number[] = [];
    await startCluster(t, async () => {
      ports.push(await freePort());
      return [...options, '--tls-cluster', 'yes', '--tls-port', String(ports.at(-1))];
    });
    return { urls: [`rediss://127.0.0.1:${ports[0]}`], ca };
  },
  async 'Sentinels and Redis with TLS'(t) {
    const { options, ca } = await tlsOptions(t);
    return { urls: [`rediss+sentinel://${await startTlsSentinel(t, options)}/shop`], ca };
  },
};

/** The lines that configure Sentinels, and the query of the URL that leads to them. */
const sentinels: Record<string, [lines: string[], query: string]> = {
  'the login of Redis': [['user default off', 'user vitrine on >password &* +@all'], ''],
  'the user of the guide': [
    ['user default off', `user guard on >&own ${forSentinel}`],
    '?sentinelUsername=guard&sentinelPassword=%26own',
  ],
  'a password': [['requirepass &own'], '?sentinelPassword=%26own'],
  'no login': [[], '?sentinelPassword='],
};
for (const [what, [lines, query]] of Object.entries(sentinels))
  deployments[`Sentinels with ${what}`] = async t => {
    const { primary, address } = await startSentinel(t, lines);
    await guard(t, primary);
    return { urls: [withLogin(`redis+sentinel://${address}/shop${query}`)] };
  };

for (const [what, start] of Object.entries(deployments))
  test(`services count in ${what}, also with the oldest ioredis`, async t => {
    const { urls, ca } = await start(t);
    assert.equal(await countAt(t, urls, ca), '7');
    if (oldestPackages) assert.equal(await countAt(t, urls, ca, withOldest), '11');
  });

test('a database other than 0 needs SELECT; without it nothing is written', async t => {
  const redis = await startRedis(t);
  await redis.client.call('ACL', 'SETUSER', ...user.split(' '));
  assert.match(await countAt(t, [withLogin(`${redis.url}/1`)]), /NOPERM .*select/i);
  assert.doesNotMatch(await redis.client.info('keyspace'), /keys=/);
});
