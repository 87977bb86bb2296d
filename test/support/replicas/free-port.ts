import { once } from 'node:events';
import { createServer } from 'node:net';

/**
 * A port of the loopback that nobody has. It is below those that systems give to the other ends of connections: whoever
 * asks again and again for one of these, while its server is away, would be connected to itself one day.
 */
export async function freePort(): Promise<number> {
  for (;;) {
    const port = 20_000 + Math.floor(Math.random() * 12_000);
    const server = createServer().listen(port, '127.0.0.1');
    const isFree = await once(server, 'listening').then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, 'close');
    return port;
  }
}
