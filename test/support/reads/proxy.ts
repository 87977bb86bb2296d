import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { afterTest } from '../after-test.ts';
import { freePort } from '../programs.ts';

/** What happens to the bytes of one direction. */
interface Way {
  /** How many bytes of a chunk pass before the connection breaks; undefined if the chunk passes. */
  cutAt: ((length: number) => number | undefined) | undefined;
  /** Resolves when bytes may pass. */
  opened: Promise<unknown>;
}

export type RedisProxy = Awaited<ReturnType<typeof startProxy>>;

/**
 * Starts a proxy on a free port of the loopback that forwards connections to another port until the test ends, and can do
 * so badly.
 */
export async function startProxy(t: TestContext, target: number) {
  const port = await freePort();
  const sockets = new Set<Socket>();
  let requests = openWay();
  let replies = openWay();

  const server = createServer({ noDelay: true }, client => {
    const redis = connect({ port: target, host: '127.0.0.1', noDelay: true });
    sockets.add(client);
    client.on('close', () => sockets.delete(client));
    relay(client, redis, requests);
    relay(redis, client, replies);
  });
  const accept = async () => {
    if (server.listening) return;
    server.listen(port, '127.0.0.1');
    await once(server, 'listening');
  };
  /** Breaks all connections. What is held of their requests still arrives when it is released. */
  const cut = () => {
    for (const socket of sockets) socket.destroy();
  };
  const refuse = () => {
    if (server.listening) server.close();
    cut();
  };
  await accept();
  afterTest(t, refuse);

  return {
    port,
    url: `redis://127.0.0.1:${port}`,
    cut,
    /** Refuses connections until `accept`, and breaks those that it has. */
    refuse,
    accept,
    /** Leads to another port from now on. */
    leadTo(port: number): void {
      target = port;
      cut();
    },
    /** Breaks connections in the replies for which `cutAt` returns how many bytes of them may still pass. */
    cutReplies(cutAt: Way['cutAt']): void {
      replies.cutAt = cutAt;
    },
    /** Holds these bytes until the returned function is called, which forwards them. Connections are accepted. */
    hold: (direction: 'requests' | 'replies') => hold(direction === 'requests' ? requests : replies),
    /** Connections from now on are not concerned by what was done to those before. */
    renew(): void {
      requests = openWay();
      replies = openWay();
    },
  };
}

function openWay(): Way {
  return { cutAt: undefined, opened: Promise.resolve() };
}

function hold(way: Way): () => void {
  let release = () => {};
  way.opened = new Promise<void>(resolve => (release = resolve));
  return release;
}

/** Forwards what one socket receives to another, in order, and then ends that one too. */
function relay(from: Socket, to: Socket, way: Way): void {
  let last: Promise<void> = Promise.resolve();
  const forward = async (chunk: Buffer) => {
    await way.opened;
    const length = way.cutAt?.(chunk.length) ?? chunk.length;
    if (!to.destroyed) to.write(chunk.subarray(0, length));
    if (length < chunk.length) to.destroySoon();
  };
  from.on('data', (chunk: Buffer) => {
    last = last.then(() => forward(chunk));
  });
  from.on('error', () => {});
  from.on('close', () => void last.then(() => to.end()));
}
