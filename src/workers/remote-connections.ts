import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { OwnerMessage, ThreadMessage } from './protocol.ts';
import { RemoteConnection } from './remote-connection.ts';

/** The connections of one thread. */
export interface RemoteConnections {
  /** Handles a message of the thread about a connection. */
  handle(message: Extract<ThreadMessage, { id: number }>): void;
  count(): number;
  /** The thread is gone, and its connections with it. */
  close(): void;
}

/** Has `server` answer what a thread does not. A connection over a limit, as `isExcess` says, is not admitted. */
export function openRemoteConnections(
  server: Server,
  isExcess: (socket: Socket) => boolean,
  post: (message: OwnerMessage, bytes?: Uint8Array) => void,
): RemoteConnections {
  const connections = new Map<number, RemoteConnection>();
  const open = (id: number, remoteAddress: string | undefined) => {
    const connection = new RemoteConnection(id, remoteAddress, post);
    connections.set(id, connection);
    connection.once('close', () => connections.delete(id));
    server.emit('connection', connection);
    // The limits use nothing else of a socket than the stream has.
    if (!isExcess(connection as unknown as Socket)) post({ type: 'admitted', id });
  };
  return {
    handle(message) {
      const { type, id } = message;
      if (type === 'opened') return open(id, message.remoteAddress);
      const connection = connections.get(id);
      if (type === 'received') connection?.receive(message.bytes);
      else if (type === 'sent') connection?.sent();
      else connection?.destroy();
    },
    count: () => connections.size,
    close() {
      for (const connection of connections.values()) connection.destroy();
    },
  };
}
