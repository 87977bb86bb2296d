import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

let cachedVersion: string | undefined;

/** The version in package.json, read at the first call. */
export function packageVersion(): string {
  cachedVersion ??= String(
    JSON.parse(readFileSync(fileURLToPath(import.meta.resolve('#package.json')), 'utf8')).version,
  );
  return cachedVersion;
}
