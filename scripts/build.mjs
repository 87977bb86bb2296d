// Bundles the program, the library and the client with their declarations into dist/, and writes the docs to dist/docs/.
// With --if-stale it does so only if dist/ is missing or older than its sources, so that `npm start` needs no compiler
// after a build. A failed build leaves no dist/.
import { spawnSync } from 'node:child_process';
import { existsSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { isStale } from './stale.mjs';

process.chdir(fileURLToPath(new URL('..', import.meta.url)));
const tsc = join('node_modules', 'typescript', 'bin', 'tsc');
/** The output of tsconfig.build.json. */
const declarations = join('dist', 'declarations');

if (!process.argv.includes('--if-stale') || isStale()) {
  if (process.stdout.isTTY) console.log('building...');
  rmSync('dist', { recursive: true, force: true });
  try {
    await build();
  } catch (error) {
    rmSync('dist', { recursive: true, force: true });
    console.error(`cannot build: ${error instanceof Error ? error.message : error}`);
    process.exitCode = 1;
  }
}

async function build() {
  if (!existsSync(tsc))
    throw new Error('the packages for development are missing; run "npm ci" without --omit=dev');
  const { status } = spawnSync(process.execPath, [tsc, '-p', 'tsconfig.build.json'], { stdio: 'inherit' });
  if (status !== 0) throw new Error('the sources have errors');
  const { bundleDeclarations } = await import('./declarations.mjs');
  await bundleDeclarations(declarations);
  rmSync(declarations, { recursive: true });
  const { bundle } = await import('./bundle.mjs');
  await bundle();
  const { register } = await import('tsx/esm/api');
  register();
  const { writeDocs } = await import('./openapi/write.ts');
  await writeDocs(join('dist', 'docs'));
}
