import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { createVitrine, type VitrineOptions } from '../src/index.ts';

const data = fileURLToPath(new URL('../data', import.meta.url));

/** With it there are feeds. */
export const NEWS_URL = 'https://www.example.com/news/{id}';

/** The OpenAPI document as JSON, as a service over the sample catalogs publishes it. */
export async function openApiDocument(options: VitrineOptions = {}): Promise<string> {
  const stateDir = await mkdtemp(join(tmpdir(), 'vitrine-openapi-'));
  const vitrine = await createVitrine({
    catalogDir: join(data, 'catalog'),
    imagesDir: join(data, 'images'),
    stateDir,
    newsUrl: NEWS_URL,
    ...options,
    logLevel: 'silent',
  });
  const { payload } = await vitrine.inject('/documentation/json');
  await vitrine.close();
  await rm(stateDir, { recursive: true });
  return payload;
}
