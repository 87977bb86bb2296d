// Has @redocly/cli lint the OpenAPI document that the service publishes; a warning is an error.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from './openapi-document.ts';

const dir = await mkdtemp(join(tmpdir(), 'vitrine-lint-'));
const file = join(dir, 'openapi.json');
await writeFile(file, JSON.stringify(JSON.parse(await openApiDocument()), null, 2));

const redocly = fileURLToPath(new URL('../node_modules/.bin/redocly', import.meta.url));
// It asks nobody anything.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const { status, stdout, stderr } = spawnSync(redocly, ['lint', '--extends=recommended-strict', file], {
  encoding: 'utf8',
  env,
});
await rm(dir, { recursive: true });
if (status === 0) console.log('The OpenAPI document is valid.');
else console.error(stdout + stderr);
process.exitCode = status ?? 1;
