import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { makeCertificates } from '../support/certificates.ts';
import { execute } from '../support/package.ts';
import { startRedis } from '../support/redis.ts';
import { startCluster } from '../support/redis-cluster.ts';
import { startTlsSentinel } from '../support/redis-sentinel.ts';
import { freePort } from '../support/replicas/free-port.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('redis-server') || skipWithout('openssl');
const addOnce = fileURLToPath(new URL('../support/reads/add-once.ts', import.meta.url));

/** Options of a Redis that takes TLS, and a process that adds one read. */
async function privateCa(t: TestContext) {
  const { ca, certificate, key } = await makeCertificates(t);
  const options = [
    ...['--tls-cert-file', certificate, '--tls-key-file', key],
    ...['--tls-ca-cert-file', ca, '--tls-auth-clients', 'no'],
  ];
  const add = async (url: string, env: NodeJS.ProcessEnv = { NODE_EXTRA_CA_CERTS: ca }) => {
    const { stdout } = await execute('node', ['--import', 'tsx', addOnce, url], {
      env: { ...process.env, ...env },
    });
    return stdout.trim();
  };
  return { options, add };
}

test('TLS with a private CA needs NODE_EXTRA_CA_CERTS, and nothing else', { skip }, async t => {
  const { options, add } = await privateCa(t);
  const port = await freePort();
  await startRedis(t, [...options, '--tls-port', String(port)]);
  assert.equal(await add(`rediss://127.0.0.1:${port}`), '1');
  assert.match(await add(`rediss://127.0.0.1:${port}`, {}), /self-signed certificate/);
});

test('TLS with a cluster holds for every node', { skip }, async t => {
  const { options, add } = await privateCa(t);
  const ports: number[] = [];
  const { nodesFor } = await startCluster(t, async () => {
    const port = await freePort();
    ports.push(port);
    return [...options, '--tls-cluster', 'yes', '--tls-port', String(port)];
  });
  for (const [index, port] of ports.entries())
    assert.equal(await add(`rediss://127.0.0.1:${port}`), String(index + 1));
  const [home] = await nodesFor('vitrine:{reads}:counts');
  assert.deepEqual(await home.counts(), { 7: 2 });
});

test('TLS with Sentinel holds for Sentinels and for Redis', { skip }, async t => {
  const { options, add } = await privateCa(t);
  const address = await startTlsSentinel(t, options);
  assert.equal(await add(`rediss+sentinel://${address}/shop`), '1');
});
