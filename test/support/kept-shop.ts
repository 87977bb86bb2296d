import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, shop, writeFiles, writeInto } from './catalogs.ts';
import { flagsOf, startProcess } from './process.ts';
import { until } from './until.ts';

/** The directories of a service that a test may start again and again. */
export interface ShopDirs {
  catalogDir: string;
  stateDir: string;
}

/** The directories of a shop that nothing serves yet. */
export async function newShop(t: TestContext, files: Files = shop): Promise<ShopDirs> {
  const root = await writeFiles(t, {});
  const dirs = { catalogDir: join(root, 'catalog'), stateDir: join(root, 'state') };
  await writeInto(dirs.catalogDir, files);
  return dirs;
}

/** Starts the real process on these directories. */
export function serveShop(
  t: TestContext,
  { catalogDir, stateDir }: ShopDirs,
  settings: Partial<Settings> = {},
  flags: string[] = [],
) {
  const dirs = { catalogDir, imagesDir: catalogDir, stateDir };
  const process = startProcess(t, [...flagsOf({ port: 0, ...dirs, ...settings }), ...flags]);
  /** Ends it as a power loss would. */
  const kill = async () => {
    process.child.kill('SIGKILL');
    await process.exit;
  };
  return { ...process, kill };
}

/** The names of the entries of its history, oldest first. */
export async function entriesOf({ stateDir }: Pick<ShopDirs, 'stateDir'>): Promise<string[]> {
  const names = await readdir(join(stateDir, 'history')).catch(() => []);
  return names.filter(name => name.endsWith('.json')).sort();
}

/** Serves the shop until this many sets are in its history, and then kills the process. Returns what it answered. */
export async function serveOnce(t: TestContext, dirs: ShopDirs, entries = 1): Promise<string[]> {
  const { listening, kill } = serveShop(t, dirs);
  const answers = await answersOf(await listening());
  await until(t, async () => ((await entriesOf(dirs)).length >= entries ? true : undefined));
  await kill();
  return answers;
}

const QUERIES = [
  '/api/products',
  '/api/news-types',
  '/api/recommend-config?product_id=1&limit=100',
  '/api/recommend-config?product_id=2',
  '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=4',
  '/api/news',
  '/api/news?type_id=1&include=img,type_id',
  '/overview',
];

/** Status, `Catalog-Version` and body of each of many answers, all but their read counts. */
export async function answersOf(address: string, sent: Record<string, string> = {}): Promise<string[]> {
  const answers: string[] = [];
  for (const query of QUERIES) {
    const { statusCode, headers, body } = await request(`${address}${query}`, { headers: sent });
    answers.push(`${statusCode} ${headers['catalog-version']} ${await body.text()}`);
  }
  return answers;
}

/** The data of `/health`. */
export async function healthOf(address: string) {
  const { body } = await request(`${address}/health`);
  const { data } = (await body.json()) as { data: import('../../src/contract/health.ts').Health };
  return data;
}
