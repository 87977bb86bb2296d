// Against clients that open so many connections that the process runs out of file descriptors and memory.
import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections over the limit get an error response at a time; others are closed without one. */
const SPARE = 100;

/** Limits the connections of a server, of which each takes memory and a file descriptor. */
export interface ConnectionLimit {
  watch(server: Server): void;
  /** Whether a connection is over the limit. */
  isExceededBy(socket: Socket): boolean;
}

/** Serves at most `maxConnections` connections at a time. */
export function openConnectionLimit(maxConnections: number): ConnectionLimit {
  const excess = new Set<Socket>();
  let open = 0;

  const admit = (socket: Socket) => {
    if (open < maxConnections) {
      open += 1;
      socket.once('close', () => {
        open -= 1;
      });
    } else if (excess.size < SPARE) {
      excess.add(socket);
      socket.once('close', () => excess.delete(socket));
    } else {
      socket.destroy();
    }
  };
  return {
    watch: server => void server.on('connection', admit),
    isExceededBy: socket => excess.has(socket),
  };
}
