import type { Cluster, Redis } from 'ioredis';
import { type Log, reasonOf } from '../../../messages.ts';
import { loadClients } from './clients.ts';
import { isClusterNode, warningsAbout } from './server-info.ts';

/** A connection to Redis that reconnects by itself. Without a connection, calls reject at once, with one sentence. */
export interface Connection<Name extends string> {
  /** Runs a script on the two keys of the counts. */
  run(script: Name, args: readonly (string | number)[]): Promise<unknown>;
  /** Calls the listener after each new connection; to a cluster, after all of its nodes were away. */
  onReady(listener: () => void): void;
  close(): void;
}

/** An error of ioredis. The arguments of its command may be a password. */
interface RedisError extends Error {
  command?: { name: string };
  lastNodeError?: Error;
}

type Run = (...args: (string | number)[]) => Promise<unknown>;

/**
 * Connects to one Redis, to the primary that Sentinels name, or to the cluster of any node. Resolves after the first
 * attempt, even if it failed. Logs how Redis can lose counts. `scripts` are Lua programs by their names.
 * @throws Error if the package ioredis is missing.
 */
export async function openConnection<Name extends string>(
  { redisUrl, redisPrefix }: { redisUrl: readonly string[]; redisPrefix: string },
  scripts: Readonly<Record<Name, string>>,
  log: Log,
): Promise<Connection<Name>> {
  // The hash tag keeps both keys on one node of a cluster.
  const keys = ['counts', 'changes'].map(name => `${redisPrefix}:{reads}:${name}`);
  const listeners: (() => void)[] = [];
  let problem = 'not connected yet';
  let failures = 0;
  let isFirst = true;
  let isClosed = false;
  let attempted = () => {};
  const firstAttempt = new Promise<void>(resolve => {
    attempted = resolve;
  });
  // A script that succeeds ends the failures: a replica connects, too.
  const clients = await loadClients(redisUrl, () => Math.min(50 * 2 ** failures++, 1000));

  const prepare = (client: Redis | Cluster): Redis | Cluster => {
    for (const [name, lua] of Object.entries<string>(scripts))
      client.defineCommand(name, { lua, numberOfKeys: keys.length });
    client.on('error', (error: RedisError) => {
      problem = reasonOfError(error) ?? problem;
      // ioredis would go on with database 0.
      if (error.command?.name === 'select') client.disconnect(true);
      attempted();
    });
    client.on('sentinelError', ({ message }: Error) => (problem = message));
    client.on('close', attempted);
    client.on('ready', () => void greet(client));
    return client;
  };
  const greet = async (ready: Redis | Cluster) => {
    const info = await ready.info().catch(error => reasonOfReply(error) && '');
    if (info === undefined || isClosed) return;
    if (!ready.isCluster && isClusterNode(info)) {
      ready.off('close', attempted).disconnect();
      client = prepare(clients.openCluster());
      return;
    }
    if (isFirst) for (const warning of warningsAbout(info)) log.warn(warning);
    isFirst = false;
    problem = 'the connection was closed';
    for (const listener of listeners) listener();
    attempted();
  };
  let client = prepare(clients.open());
  await firstAttempt;

  return {
    async run(script, args) {
      const reply = (client as unknown as Record<Name, Run>)[script](...keys, ...args);
      await reply.catch(error => {
        throw new Error(reasonOfReply(error) ?? problem);
      });
      failures = 0;
      return reply;
    },
    onReady: listener => void listeners.push(listener),
    close() {
      isClosed = true;
      client.disconnect();
    },
  };
}

/** What follows an error that says more. */
const CONSEQUENCE = /^(All sentinels are unreachable|Stream isn't writeable)/;

/** Why a connection failed; undefined if an earlier error says it. */
function reasonOfError(error: RedisError): string | undefined {
  if (error.lastNodeError) return `no node of the cluster answers (${error.lastNodeError.message})`;
  if (CONSEQUENCE.test(error.message)) return undefined;
  // An error for each address of a host has no message.
  return error.message || reasonOf(error);
}

/** What Redis answered; undefined if it did not. */
function reasonOfReply({ name, message }: Error): string | undefined {
  return name === 'ReplyError' ? message : /Last error: (?:\w*Error: )?(.*)/.exec(message)?.[1];
}
