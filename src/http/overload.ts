import type { Server } from 'node:http';
import type { Socket } from 'node:net';

/** How many connections over the limit are told so; others are closed without a word. */
const SPARE = 100;

/** Keeps count of the connections of a server. */
export interface ConnectionLimit {
  watch(server: Server): void;
  /** Whether a connection is one too many. */
  isExceededBy(socket: Socket): boolean;
}

/** At most `max` connections are served at a time. */
export function openConnectionLimit(max: number): ConnectionLimit {
  const excess = new WeakSet<Socket>();
  let open = 0;
  return {
    watch(server) {
      server.maxConnections = max + SPARE;
      server.on('connection', socket => {
        open += 1;
        socket.once('close', () => (open -= 1));
        if (open > max) excess.add(socket);
      });
    },
    isExceededBy: socket => excess.has(socket),
  };
}
