/**
 * Says that a server listens, and which process it is, in the form of Vitrine's log.
 *
 * @param {import('node:http').Server} server
 */
export function tellListening(server) {
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('the server has no port');
  const msg = `listening on http://127.0.0.1:${address.port}`;
  process.stdout.write(`${JSON.stringify({ pid: process.pid, msg })}\n`);
}
