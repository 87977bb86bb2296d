import { readFileSync } from 'node:fs';

/** What the file contains that the bench has prepared for this server. */
export function readPrepared() {
  return JSON.parse(readFileSync(process.argv[2] ?? '', 'utf8'));
}

/** Logs the address of a server, for which the bench waits. */
export function logListening(/** @type {import('node:http').Server} */ server) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  console.log(`listening on http://127.0.0.1:${port}`);
}
