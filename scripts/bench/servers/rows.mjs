import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** What a file that the bench has prepared in DIR contains. */
export function readPrepared(/** @type {string} */ name) {
  return JSON.parse(readFileSync(join(process.env.DIR ?? '', name), 'utf8'));
}

/** The rows of each catalog. Prices are numbers: a schema would convert texts with each answer. */
export function readRows() {
  const rows = readPrepared('rows.json');
  for (const row of rows.prices) row.price = Number(row.price);
  return rows;
}

/** Logs the address and the process id of a server in Vitrine's format. */
export function logListening(/** @type {import('node:http').Server} */ server) {
  const { port } = /** @type {import('node:net').AddressInfo} */ (server.address());
  const msg = `listening on http://127.0.0.1:${port}`;
  process.stdout.write(`${JSON.stringify({ pid: process.pid, msg })}\n`);
}
