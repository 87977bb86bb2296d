import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitrine } from '../src/index.ts';

const data = fileURLToPath(new URL('../data', import.meta.url));

/** The OpenAPI document as JSON, as a service over the sample catalogs publishes it. */
export async function openApiDocument(): Promise<string> {
  const stateDir = await mkdtemp(join(tmpdir(), 'vitrine-openapi-'));
  const vitrine = await createVitrine({
    catalogDir: join(data, 'catalog'),
    imagesDir: join(data, 'images'),
    stateDir,
    logLevel: 'silent',
  });
  const { payload } = await vitrine.inject('/documentation/json');
  await vitrine.close();
  await rm(stateDir, { recursive: true });
  return payload;
}
