import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { Server } from 'node:net';

/**
 * The program of the child: it sends the socket that it has inherited as descriptor 4, and ends. A socket rather than a
 * server opens it, since a server would accept connections.
 */
const SEND_SOCKET = `
const { createServer, Socket } = require('node:net');
const server = createServer();
server._handle = new Socket({ fd: 4, readable: false, writable: false })._handle;
process.send('', server, () => process.disconnect());
process.on('disconnect', () => process.exit());
`;

/**
 * A listening socket of this process once more, under a descriptor of its own, to be passed to `listen()`. Threads that
 * listened on one descriptor would close it for all of them. Only the system can duplicate one, when it passes it from a
 * process to another; so a child inherits the socket and sends it back.
 */
export async function duplicateSocket(fd: number): Promise<Server> {
  const child = spawn(process.execPath, ['-e', SEND_SOCKET], {
    stdio: ['ignore', 'ignore', 'ignore', 'ipc', fd],
  });
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`the child that duplicates the listening socket ended with ${code}`);
  });
  const [, server] = await Promise.race([once(child, 'message'), ended]);
  ended.catch(() => {});
  return server;
}
