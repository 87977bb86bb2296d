import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

let version: string | undefined;

/** The version of the package, as its package.json has it; looked up when it is first asked for. */
export function packageVersion(): string {
  version ??= String(
    JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('#package.json')), 'utf8')).version,
  );
  return version;
}
