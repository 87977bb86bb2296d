import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Settings } from '../../../src/settings/settings.ts';
import { type Files, shop, writeFiles, writeInto } from '../catalogs.ts';
import { flagsOf, startProcess } from '../process.ts';

/** The directories of an export. */
export async function newSite(t: TestContext, files: Files = shop) {
  const root = await writeFiles(t, {});
  const site = { catalogDir: join(root, 'catalog'), stateDir: join(root, 'state'), dir: join(root, 'site') };
  await writeInto(site.catalogDir, files);
  return site;
}

type Site = Awaited<ReturnType<typeof newSite>>;

export function startExport(
  t: TestContext,
  { dir, catalogDir, stateDir }: Site,
  options: Partial<Settings> = {},
  more: string[] = [],
) {
  const flags = flagsOf({ catalogDir, imagesDir: catalogDir, stateDir, ...options });
  return startProcess(t, ['export', dir, ...flags, ...more]);
}

export function run(...args: Parameters<typeof startExport>) {
  return startExport(...args).exit;
}
