import type { TestContext } from 'node:test';
import type { Settings } from '../../src/settings/settings.ts';
import { type Files, shop, writeInto } from './catalogs.ts';
import { startService } from './service.ts';
import { until } from './until.ts';

/** A service over files that tests edit. */
export async function startEdited(t: TestContext, files: Files = shop, options: Partial<Settings> = {}) {
  const service = await startService(t, files, { holdBack: 'off', ...options });
  const { catalogDir } = service.settings;
  /** Saves files, and waits until they are loaded. */
  const save = async (edited: Files) => {
    const time = service.services.catalog.status().attempt;
    await writeInto(catalogDir, edited);
    await until(t, async () => {
      const { attempt, served } = service.services.catalog.status();
      return attempt !== time && attempt?.outcome === 'loaded' && served ? true : undefined;
    });
  };
  return { ...service, save };
}
