import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Settings } from '../../settings/settings.ts';
import { clientOf } from './client-address.ts';

/** How many connections over the limit get an error response at a time; others are closed without one. */
const SPARE = 100;

/** Limits the connections of a server. */
export interface ConnectionLimit {
  watch(server: Server): void;
  /** Whether a connection is over a limit. */
  isExceededBy(socket: Socket): boolean;
}

/**
 * Serves at most `maxConnections` connections at a time, and at most `maxConnectionsPerIp` (0: no limit) of one client,
 * except trusted proxies.
 */
export function openConnectionLimit(
  { maxConnections, maxConnectionsPerIp }: Pick<Settings, 'maxConnections' | 'maxConnectionsPerIp'>,
  isProxy: (address: string | undefined) => boolean,
): ConnectionLimit {
  const maxPerClient = maxConnectionsPerIp || Number.POSITIVE_INFINITY;
  const excess = new Set<Socket>();
  const served = new Map<string, number>();
  let open = 0;

  const admit = (socket: Socket) => {
    const { remoteAddress } = socket;
    const client = clientOf([remoteAddress]);
    const own = served.get(client) ?? 0;
    if (open < maxConnections && (own < maxPerClient || isProxy(remoteAddress))) {
      open += 1;
      served.set(client, own + 1);
      socket.once('close', () => leave(client));
    } else if (excess.size < SPARE) {
      excess.add(socket);
      socket.once('close', () => excess.delete(socket));
    } else {
      socket.destroy();
    }
  };
  const leave = (client: string) => {
    open -= 1;
    const own = (served.get(client) ?? 1) - 1;
    if (own > 0) served.set(client, own);
    else served.delete(client);
  };
  return {
    watch: server => void server.on('connection', admit),
    isExceededBy: socket => excess.has(socket),
  };
}
