import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { OwnerMessage, ThreadMessage } from './protocol.ts';

/** The connections of this thread, and the way of their requests to the main thread. */
export interface ThreadConnections {
  watch(server: Server): void;
  /** Whether the main thread has to decide if a connection is over a limit. */
  isExceededBy(socket: Socket): boolean;
  /** Has the main thread answer a request. */
  forward(request: IncomingMessage, response: ServerResponse): void;
  /** Handles a message about a connection. */
  handle(message: Extract<OwnerMessage, { id: number }>): void;
}

interface Connection {
  id: number;
  isAdmitted: boolean;
  response: ServerResponse | undefined;
}

/** While `isFarFromLimits`, connections are served before the main thread has admitted them. */
export function openThreadConnections(
  post: (message: ThreadMessage) => void,
  isFarFromLimits: () => boolean,
): ThreadConnections {
  const connections = new Map<Socket, Connection>();
  const sockets = new Map<number, Socket>();
  let lastId = 0;

  const open = (socket: Socket) => {
    lastId += 1;
    const id = lastId;
    connections.set(socket, { id, isAdmitted: isFarFromLimits(), response: undefined });
    sockets.set(id, socket);
    post({ type: 'opened', id, remoteAddress: socket.remoteAddress });
    socket.once('close', () => {
      connections.delete(socket);
      sockets.delete(id);
      post({ type: 'closed', id });
    });
  };
  return {
    watch: server => void server.on('connection', open),
    isExceededBy: socket => connections.get(socket)?.isAdmitted !== true,
    forward(request, response) {
      const connection = connections.get(request.socket);
      if (!connection) return;
      connection.response = response;
      const { id } = connection;
      // In memory of its own, or all of the memory around it would be copied.
      const send = (bytes: string | Uint8Array) =>
        post({
          ...{ type: 'received', id },
          bytes: Uint8Array.from(typeof bytes === 'string' ? Buffer.from(bytes, 'latin1') : bytes),
        });
      const isChunked = request.headers['transfer-encoding'] !== undefined;
      send(headOf(request));
      request.on('data', (chunk: Buffer) => {
        if (isChunked) send(`${chunk.length.toString(16)}\r\n`);
        send(chunk);
        if (isChunked) send('\r\n');
      });
      if (isChunked) request.once('end', () => send('0\r\n\r\n'));
    },
    handle(message) {
      const { type, id } = message;
      const socket = sockets.get(id);
      const connection = socket && connections.get(socket);
      if (!connection) return;
      if (type === 'admitted') connection.isAdmitted = true;
      else if (type === 'send') socket.write(message.bytes, () => post({ type: 'sent', id }));
      else if (type === 'answered') connection.response?.emit('finish');
      else if (type === 'end') socket.end();
      else socket.destroy();
    },
  };
}

/** The head of a request as the client sent it. */
function headOf({ method, url, httpVersion, rawHeaders }: IncomingMessage): string {
  let head = `${method} ${url} HTTP/${httpVersion}\r\n`;
  for (let index = 0; index < rawHeaders.length; index += 2)
    head += `${rawHeaders[index]}: ${rawHeaders[index + 1]}\r\n`;
  return `${head}\r\n`;
}
