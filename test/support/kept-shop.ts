import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { request } from 'undici';
import type { Health } from '../../src/contract/health.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, shop, writeFiles, writeInto } from './catalogs.ts';
import { flagsOf, startProcess } from './process.ts';

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
  env: Record<string, string> = {},
) {
  return startProcess(t, flagsOf({ port: 0, catalogDir, imagesDir: catalogDir, stateDir, ...settings }), env);
}

/** The names of the entries of its history, oldest first. */
export async function entriesOf({ stateDir }: Pick<ShopDirs, 'stateDir'>): Promise<string[]> {
  const names = await readdir(join(stateDir, 'history')).catch(() => []);
  return names.filter(name => name.endsWith('.json')).sort();
}

export async function healthOf(address: string): Promise<Health> {
  const { body } = await request(`${address}/health`);
  return ((await body.json()) as { data: Health }).data;
}
