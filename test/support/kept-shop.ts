import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import type { Health } from '../../src/contract/health.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, shop, writeFiles, writeInto } from './catalogs.ts';
import { flagsOf, startProcess } from './process.ts';
import { startService } from './service.ts';
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
) {
  return startProcess(t, flagsOf({ port: 0, catalogDir, imagesDir: catalogDir, stateDir, ...settings }));
}

/** The names of the entries of its history, oldest first. */
export async function entriesOf({ stateDir }: Pick<ShopDirs, 'stateDir'>): Promise<string[]> {
  const names = await readdir(join(stateDir, 'history')).catch(() => []);
  return names.filter(name => name.endsWith('.json')).sort();
}

/**
 * Starts the service on these directories in this process, for which time passes forty times as fast: files that must lie
 * still for seconds do so in no time.
 */
export async function startShop(t: TestContext, dirs: ShopDirs, settings: Partial<Settings> = {}) {
  hasten(t);
  const started = await startService(t, {}, { ...dirs, imagesDir: dirs.catalogDir, ...settings });
  const address = `http://127.0.0.1:${await started.listen()}`;
  const version = () => String(started.services.catalog.snapshot()?.version);
  return { ...started, address, version, close: () => started.app.close() };
}

const realNow = performance.now.bind(performance);
const hastened = new WeakSet<TestContext>();

function hasten(t: TestContext): void {
  if (hastened.has(t)) return;
  hastened.add(t);
  const start = realNow();
  t.mock.method(performance, 'now', () => start + (realNow() - start) * 40);
}

/** Serves the shop until its set is in the history. Returns what it answered. */
export async function serveOnce(t: TestContext, dirs: ShopDirs): Promise<string[]> {
  const { address, close } = await startShop(t, dirs);
  const answers = await answersOf(address);
  await close();
  return answers;
}

/** Queries of many kinds. */
const QUERIES = [
  '/api/products',
  '/api/news-types',
  '/api/recommend-config?product_id=1&limit=100',
  '/api/recommend-config?product_id=2',
  '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=4',
  '/api/news',
  '/api/news?type_id=1&include=img,type_id',
  '/overview/prices?product_id=1',
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
export async function healthOf(address: string): Promise<Health> {
  const { body } = await request(`${address}/health`);
  return ((await body.json()) as { data: Health }).data;
}

/** Resolves to the health of the service once it serves this version. */
export function serves(t: TestContext, address: string, version: string): Promise<Health> {
  return until(t, async () => {
    const health = await healthOf(address);
    return health.catalogs?.version === version ? health : undefined;
  });
}

/** Runs a command on the directories of a shop. */
export function runOn(t: TestContext, { catalogDir, stateDir }: ShopDirs, ...args: string[]) {
  return startProcess(t, [...args, '--catalog-dir', catalogDir, '--state-dir', stateDir]).exit;
}
