import type { TestContext } from 'node:test';
import { freePort } from './programs.ts';
import { startRedis } from './redis.ts';
import { until } from './until.ts';

/** A cluster of two nodes of the test's own, each with half of the slots. `optionsOf` returns more options of a node. */
export async function startCluster(t: TestContext, optionsOf = async (): Promise<string[]> => []) {
  // The default port of the cluster bus is 10,000 higher, which any connection may use.
  const [onePort, otherPort] = [await freePort(), await freePort()];
  const node = async (port: number) =>
    startRedis(t, ['--cluster-enabled', 'yes', '--cluster-port', String(port), ...(await optionsOf())]);
  const [one, other] = [await node(onePort), await node(otherPort)];
  await one.client.cluster('ADDSLOTSRANGE', 0, 8191);
  await other.client.cluster('ADDSLOTSRANGE', 8192, 16383);
  await one.client.cluster('MEET', '127.0.0.1', other.port, otherPort);
  for (const { client } of [one, other])
    await until(t, async () => (/cluster_state:ok/.test(await client.cluster('INFO')) ? true : undefined));
  /** The node that has a key, and the other one. */
  const nodesFor = async (key: string) =>
    (await one.client.cluster('KEYSLOT', key)) < 8192 ? ([one, other] as const) : ([other, one] as const);
  return { nodes: [one, other] as const, nodesFor };
}
