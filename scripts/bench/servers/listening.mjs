/**
 * Logs the address and the process id of a server in Vitrine's format.
 *
 * @param {import('node:http').Server} server
 */
export function logListening(server) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const msg = `listening on http://127.0.0.1:${port}`;
  process.stdout.write(`${JSON.stringify({ pid: process.pid, msg })}\n`);
}
