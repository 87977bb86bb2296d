// Compiles src/ to dist/, and bundles the program there; with --if-stale only where dist/ is missing or older than what
// it is made of, so that `npm start` needs no compiler once all is built. A build that fails leaves no dist/ behind.
import { spawnSync } from 'node:child_process';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './stale.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));

if (!process.argv.includes('--if-stale') || isStale()) {
  rmSync('dist', { recursive: true, force: true });
  const tsc = join('node_modules', '.bin', 'tsc');
  const { status, error } = spawnSync(tsc, ['-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (error) console.error(`cannot build: ${error.message}; run "npm ci" first`);
  process.exitCode = status ?? 1;
  if (status === 0) {
    const { bundleProgram } = await import('./bundle.mjs');
    await bundleProgram().catch(error => {
      rmSync('dist', { recursive: true, force: true });
      console.error(`cannot build: ${error.message}`);
      process.exitCode = 1;
    });
  }
}
