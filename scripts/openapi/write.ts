import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pageFiles } from '../../src/http/pages/docs.ts';
import { openDocs } from './docs.ts';

/** The files of the docs, and their paths below `/documentation/`. */
const files = {
  'index.html': '',
  'openapi.json': 'json',
  'openapi.yaml': 'yaml',
  ...Object.fromEntries(pageFiles.map(name => [name, `static/${name}`])),
};

/** Writes the docs, and the files that their page loads, to a new directory. */
export async function writeDocs(dir: string): Promise<void> {
  const docs = await openDocs();
  await mkdir(dir);
  for (const [file, address] of Object.entries(files)) {
    const { rawPayload } = await docs.inject(`/documentation/${address}`);
    await writeFile(join(dir, file), rawPayload);
  }
}
