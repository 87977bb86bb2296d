import type { TestContext } from 'node:test';
import type { Settings } from '../../../src/settings/settings.ts';
import { type Files, shop as shopWithoutImage } from '../catalogs.ts';
import { startService } from '../service.ts';

/** A white dot. */
const PNG = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAAAAAA6fptVAAAACklEQVR4nGP4DwABAQEAsTXRCwAAAABJRU5ErkJggg==',
  'base64',
);

/** The small set together with the image that it names. */
export const shop: Files = { ...shopWithoutImage, 'launch.png': PNG };

/** The service, listening; `address` is that of its page. */
export async function serve(t: TestContext, files = shop, options: Partial<Settings> = {}) {
  const service = await startService(t, files, options);
  return { ...service, address: `http://127.0.0.1:${await service.listen()}/` };
}
