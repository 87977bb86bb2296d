import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** What the program loads only where it is asked for: a native part, an optional one, the docs, and parts of Fastify that it never uses. */
const external = [
  'fs-native-extensions',
  'ioredis',
  '@fastify/ajv-compiler',
  '@fastify/fast-json-stringify-compiler',
  'light-my-request',
  '@fastify/swagger',
  '@fastify/swagger-ui',
];

/** CommonJS among the packages asks for Node's own modules by `require`. */
const banner = `import { createRequire } from 'node:module';
const require = createRequire(import.meta.url);`;

/**
 * Bundles the program, dist/main.js, and its worker, dist/worker.js, with the packages that they use: to find and read
 * hundreds of small files takes longer than all the rest of a start. The other modules in dist/ are for embedders.
 */
export async function bundleProgram() {
  const { metafile } = await build({
    entryPoints: { main: 'src/main.ts', worker: 'src/catalog/worker.ts' },
    outdir: 'dist',
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'node',
    target: 'node20.20',
    mainFields: ['module', 'main'],
    chunkNames: 'program-[hash]',
    external,
    banner: { js: banner },
    sourcemap: true,
    sourcesContent: false,
    metafile: true,
    logLevel: 'warning',
  });
  writeFileSync('dist/LICENSES.txt', licencesOf(Object.keys(metafile.inputs)));
}

/** The licences of the packages whose files are in the bundle, as they ask for. */
function licencesOf(/** @type {string[]} */ files) {
  const packages = new Set(files.flatMap(file => /^node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []));
  return [...packages].sort().map(licenceOf).join('\n\n');
}

function licenceOf(/** @type {string} */ dir) {
  const { name, version, license } = JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
  const file = readdirSync(dir).find(name => /^licen[cs]e/i.test(name));
  const text = file ? readFileSync(join(dir, file), 'utf8').trim() : `Licence: ${license}`;
  return `${name} ${version}\n\n${text}`;
}
