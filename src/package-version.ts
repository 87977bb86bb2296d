import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';

/** The version of the package, as its package.json has it. */
export async function packageVersion(): Promise<string> {
  const path = fileURLToPath(import.meta.resolve('#package.json'));
  const { version } = JSON.parse(await readFile(path, 'utf8'));
  return version;
}
