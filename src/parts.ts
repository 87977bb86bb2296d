import type { BaseLogger } from 'pino';
import { type LiveCatalog, openLiveCatalog } from './catalog/live.ts';
import type { Loader } from './catalog/load.ts';
import type { ReadCounter } from './reads/counter.ts';
import { openReads } from './reads/open.ts';
import type { Settings } from './settings.ts';

/** What a service is made of. */
export interface Parts {
  catalog: LiveCatalog;
  reads: ReadCounter;
  /** The time, in Unix seconds. */
  now(): number;
}

/**
 * Loads the catalogs and the read counts, and goes on to take up changed catalogs; what becomes of them is logged.
 * `loader`, where it was opened ahead of time, loads the first set.
 * @throws CatalogError where the first set has an error, and an Error where the state directory cannot be used.
 */
export async function openParts(
  settings: Settings,
  log: Pick<BaseLogger, 'info' | 'warn' | 'error'>,
  loader?: Loader,
): Promise<Parts> {
  const parts = await Promise.allSettled([
    openLiveCatalog(settings, settings, log, loader),
    openReads(settings, log),
  ]);
  const [catalog, reads] = parts;
  if (catalog.status === 'fulfilled' && reads.status === 'fulfilled')
    return { catalog: catalog.value, reads: reads.value, now: () => Date.now() / 1000 };
  for (const part of parts) {
    if (part.status === 'fulfilled') await part.value.close();
  }
  throw parts.find(part => part.status === 'rejected')?.reason;
}
