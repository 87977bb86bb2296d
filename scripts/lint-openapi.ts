// Lints the OpenAPI document of the service with @redocly/cli. Warnings are errors.
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { openApiDocument } from './openapi/docs.ts';

const dir = await mkdtemp(join(tmpdir(), 'vitrine-lint-'));
const file = join(dir, 'openapi.json');
await writeFile(file, JSON.stringify(JSON.parse(await openApiDocument()), null, 2));

const redocly = fileURLToPath(new URL('../node_modules/@redocly/cli/bin/cli.js', import.meta.url));
// Without network access.
const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' };
const { status, stdout, stderr } = spawnSync(
  process.execPath,
  [redocly, 'lint', '--extends=recommended-strict', file],
  {
    encoding: 'utf8',
    env,
  },
);
await rm(dir, { recursive: true });
if (status === 0) console.log('The OpenAPI document is valid.');
else console.error(stdout + stderr);
process.exitCode = status ?? 1;
