import { join } from 'node:path';
import type { TestContext } from 'node:test';
import type { Settings } from '../../../src/settings/settings.ts';
import { type Files, shop, writeFiles, writeInto } from '../catalogs.ts';
import { runCommand } from '../command.ts';
import { flagsOf, startProcess } from '../process.ts';

/** The directories of an export. */
export async function newSite(t: TestContext, files: Files = shop) {
  const root = await writeFiles(t, {});
  const site = { catalogDir: join(root, 'catalog'), stateDir: join(root, 'state'), dir: join(root, 'site') };
  await writeInto(site.catalogDir, files);
  return site;
}

type Site = Awaited<ReturnType<typeof newSite>>;

function commandLine(
  { dir, catalogDir, stateDir }: Site,
  options: Partial<Settings> = {},
  more: string[] = [],
): string[] {
  const flags = flagsOf({ catalogDir, imagesDir: catalogDir, stateDir, ...options });
  return ['export', dir, ...flags, ...more];
}

/** Exports in a process of its own. */
export function startExport(t: TestContext, ...args: Parameters<typeof commandLine>) {
  return startProcess(t, commandLine(...args));
}

/** Exports in this process. */
export function run(...args: Parameters<typeof commandLine>) {
  return runCommand(commandLine(...args));
}
