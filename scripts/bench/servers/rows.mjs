import { readFileSync } from 'node:fs';
import { join } from 'node:path';

/** A cell: in quotes, with each quote doubled, or up to the next comma. */
const CELL = /(?:^|,)(?:"([^"]*(?:""[^"]*)*)"|([^,]*))/g;

/**
 * The rows of a catalog of CATALOG_DIR, with digits as numbers. It reads only what the bench writes: no cell contains a
 * line break.
 *
 * @template {object} Row
 * @param {string} name
 * @returns {Row[]}
 */
export function readRows(name) {
  const text = readFileSync(join(process.env.CATALOG_DIR ?? '', `${name}.csv`), 'utf8');
  const [header = '', ...lines] = text.trimEnd().split('\n');
  const columns = header.split(',');
  return lines.map(line => {
    const cells = [...line.matchAll(CELL)].map(([, quoted, plain]) => quoted?.replaceAll('""', '"') ?? plain);
    return /** @type {Row} */ (Object.fromEntries(cells.map((cell, index) => [columns[index], typed(cell)])));
  });
}

/** @param {string | undefined} cell */
function typed(cell = '') {
  return /^\d+(\.\d+)?$/.test(cell) ? Number(cell) : cell;
}

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
