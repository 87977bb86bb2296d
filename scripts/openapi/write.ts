import { cp, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { docsFiles } from '../../src/http/pages.ts';
import { openDocs } from './docs.ts';

/** The page that shows the document, and the script that starts it; everything else of it is that of swagger-ui. */
const ownFiles = ['index.html', 'swagger-initializer.js'];
const own = fileURLToPath(new URL('page', import.meta.url));
const swaggerUi = fileURLToPath(new URL('../../node_modules/@fastify/swagger-ui/static', import.meta.url));

/** Writes the OpenAPI document, and the page that shows it with the files that it loads, to a new directory. */
export async function writeDocs(dir: string): Promise<void> {
  const docs = await openDocs();
  await mkdir(dir);
  await writeFile(join(dir, 'openapi.json'), JSON.stringify(docs.swagger()));
  await writeFile(join(dir, 'openapi.yaml'), docs.swagger({ yaml: true }));
  for (const name of new Set([...ownFiles, ...docsFiles]))
    await cp(join(ownFiles.includes(name) ? own : swaggerUi, name), join(dir, name));
}
