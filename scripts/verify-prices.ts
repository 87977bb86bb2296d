/**
 * Requests every price of a catalog directory and compares the digits of the answer with those of the file; prices of
 * hidden configurations must be 404. It does not use Vitrine's readers.
 *
 *   npx tsx scripts/verify-prices.ts DIR
 *
 * Prints every wrong answer and a summary. Exit code 1 if there is one.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { parse } from 'csv-parse/sync';
import { Pool } from 'undici';

type WrittenRow = Record<string, string>;

/** The rows of a catalog, with every value as the file writes it. */
async function writtenRows(dir: string, catalog: string): Promise<WrittenRow[]> {
  const csv = join(dir, `${catalog}.csv`);
  if (existsSync(csv)) return parse(await readFile(csv), { columns: true, bom: true });
  const json = await readFile(join(dir, `${catalog}.json`), 'utf8');
  return JSON.parse(json.replace(/("\w+"\s*:\s*)(true|false|[\d.]+)/g, '$1"$2"'));
}

/** Runs the service on a free port for as long as `use` takes. */
async function withService<Result>(
  catalogDir: string,
  use: (address: string) => Promise<Result>,
): Promise<Result> {
  const stateDir = await mkdtemp(join(tmpdir(), 'vitrine-'));
  const main = fileURLToPath(new URL('../src/main.ts', import.meta.url));
  const args = ['--port', '0', '--log-level', 'info', '--catalog-dir', catalogDir, '--state-dir', stateDir];
  const child = spawn(process.execPath, ['--import', import.meta.resolve('tsx'), main, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    for await (const line of createInterface(child.stdout)) {
      const address = /listening on (http:[^"]+)/.exec(line)?.[1];
      if (address) return await use(address);
    }
    throw new Error('the service does not start');
  } finally {
    child.kill('SIGTERM');
    // It saves into the directory until it ends.
    if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    await rm(stateDir, { recursive: true, force: true });
  }
}

/** The request and its wrong answer; undefined if the answer is right. */
async function verify(
  pool: Pool,
  price: WrittenRow,
  hidden: Set<string | undefined>,
): Promise<string | undefined> {
  const { id, product_id, rel_id, duration_id } = price;
  const path = `/api/recommend-config/price?product_id=${product_id}&recommend_config_id=${rel_id}&duration_id=${duration_id}`;
  const response = await pool.request({ method: 'GET', path });
  const body = await response.body.text();
  const expected = hidden.has(rel_id)
    ? '"error":"CONFIGURATION_NOT_FOUND"'
    : `"data":{"id":${id},"product_id":${product_id},"rel_id":${rel_id},"duration_id":${duration_id},"price":${shortest(price.price)},`;
  return body.includes(expected) ? undefined : `${path}: expected ${expected}, got ${body}`;
}

/** `19.90` as `19.9`, `26496.0` as `26496`, without parsing a number. */
function shortest(price = ''): string {
  return price.includes('.') ? price.replace(/\.?0+$/, '') : price;
}

async function main([dir]: string[]): Promise<void> {
  if (!dir) throw new Error('usage: npx tsx scripts/verify-prices.ts DIR');
  const prices = await writtenRows(dir, 'prices');
  const configurations = await writtenRows(dir, 'configurations');
  const hiddenRows = configurations.filter(row => /^(true|yes|1)$/i.test(row.hidden ?? ''));
  const hidden = new Set(hiddenRows.map(row => row.id));
  const wrong = await withService(dir, async address => {
    const pool = new Pool(address, { connections: 8 });
    const answers: (string | undefined)[] = [];
    for (let start = 0; start < prices.length; start += 100) {
      const some = prices.slice(start, start + 100);
      answers.push(...(await Promise.all(some.map(price => verify(pool, price, hidden)))));
    }
    await pool.close();
    return answers.filter(answer => answer !== undefined);
  });
  for (const answer of wrong) console.log(answer);
  const ofHidden = prices.filter(price => hidden.has(price.rel_id)).length;
  console.log(
    `${prices.length} prices asked for: ${prices.length - ofHidden} to be answered with the digits of the file, ${ofHidden} of hidden configurations to be 404; ${wrong.length} wrong`,
  );
  if (wrong.length > 0) process.exitCode = 1;
}

main(process.argv.slice(2)).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
