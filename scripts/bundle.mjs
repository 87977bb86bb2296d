import { cpSync, existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';

/** CommonJS packages load Node's modules by `require`. */
const banner = `import { createRequire as requireFrom } from 'node:module';
const require = requireFrom(import.meta.url);`;

const common = {
  outdir: 'dist',
  bundle: true,
  format: /** @type {const} */ ('esm'),
  sourcemap: true,
  sourcesContent: false,
  metafile: true,
  logLevel: /** @type {const} */ ('warning'),
};

/** @type {import('esbuild').Plugin} */
const commandLineOutside = {
  name: 'command line outside',
  setup({ onResolve }) {
    onResolve({ filter: /commands\/run\.ts$/ }, () => ({ path: './command-line.js', external: true }));
  },
};

/** Without import declarations and new syntax, so that an older Node reads it as far as the sentence that names it. */
const main = {
  ...common,
  entryPoints: ['src/main.ts'],
  platform: /** @type {const} */ ('node'),
  target: 'node10',
  supported: { 'dynamic-import': true },
  plugins: [commandLineOutside],
};

/** The command line, its reader process, and the library, with the packages that they use. */
export const program = {
  ...common,
  entryPoints: {
    'command-line': 'src/commands/run.ts',
    reader: 'src/reader/reader.ts',
    index: 'src/index.ts',
  },
  splitting: true,
  platform: /** @type {const} */ ('node'),
  target: 'node20.20',
  mainFields: ['module', 'main'],
  chunkNames: 'program-[hash]',
  // A native package and an optional one.
  external: ['fs-native-extensions', 'ioredis'],
  banner: { js: banner },
};

/**
 * Bundles the program (dist/main.js and dist/command-line.js), its reader process, the library (dist/index.js), the
 * client and the page with the packages that they use. So an installation has few packages, and a start reads few
 * files: resolving hundreds of small files takes longer than the rest of a start.
 */
export async function bundle() {
  const { metafile } = await build(program);
  await build(main);
  await build({ ...common, entryPoints: ['src/client.ts'], platform: 'neutral', target: 'es2022' });
  const inputs = [metafile, (await bundlePage()).metafile].flatMap(file => Object.keys(file?.inputs ?? {}));
  const packages = inputs.flatMap(file => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file) ?? []);
  const dirs = [...new Set([...packages, 'node_modules/@fastify/swagger-ui'])].sort();
  writeFileSync('dist/LICENSES.txt', licencesOf(dirs));
  writeFileSync('dist/sbom.cdx.json', `${JSON.stringify(sbomOf(dirs), null, 2)}\n`);
}

/** Bundles the page for people into dist/page/. */
function bundlePage() {
  for (const name of ['index.html', 'icon.svg']) cpSync(`src/page/${name}`, `dist/page/${name}`);
  return build({
    ...common,
    outdir: 'dist/page',
    entryPoints: ['src/page/main.tsx', 'src/page/purify.ts', 'src/page/style.css'],
    splitting: true,
    platform: 'browser',
    target: ['es2022', 'chrome111', 'firefox113', 'safari16.4'],
    jsx: 'automatic',
    jsxImportSource: 'preact',
    minify: true,
    sourcemap: false,
    charset: 'utf8',
  });
}

/** What the bundle and dist/docs contain, as a CycloneDX document without times, so that equal builds have equal ones. */
function sbomOf(/** @type {string[]} */ dirs) {
  const [vitrine, ...packages] = ['.', ...dirs].map(manifestOf).map(({ name, version, license }) => ({
    type: 'library',
    'bom-ref': `pkg:npm/${name.replace('@', '%40')}@${version}`,
    name,
    version,
    purl: `pkg:npm/${name.replace('@', '%40')}@${version}`,
    licenses: [/ (OR|AND) /.test(license) ? { expression: license } : { license: { id: license } }],
  }));
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.6',
    version: 1,
    metadata: { component: { ...vitrine, type: 'application' } },
    // A package may lie in several directories.
    components: [...new Map([...packages, swaggerUi()].map(entry => [entry.purl, entry])).values()],
  };
}

/** A package whose bundle is a file of another one. */
function swaggerUi() {
  const bundle = readFileSync('node_modules/@fastify/swagger-ui/static/swagger-ui-bundle.js', 'utf8');
  const [, version = ''] = /PACKAGE_VERSION:"([\d.]+)"/.exec(bundle) ?? [];
  if (version === '') throw new Error('the version of swagger-ui is not known');
  const purl = `pkg:npm/swagger-ui-dist@${version}`;
  const licenses = [{ license: { id: 'Apache-2.0' } }];
  return { type: 'library', 'bom-ref': purl, name: 'swagger-ui-dist', version, purl, licenses };
}

function manifestOf(/** @type {string} */ dir) {
  return JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8'));
}

/** The licences of packages. */
function licencesOf(/** @type {string[]} */ dirs) {
  return [...dirs.map(licenceOf), readFileSync(join(LICENCES, 'swagger-ui.txt'), 'utf8')].join('\n\n');
}

/** The texts of packages that have none of their own. That of swagger-ui has those of the packages in its bundle. */
const LICENCES = 'scripts/licences';

function licenceOf(/** @type {string} */ dir) {
  const { name, version, license } = manifestOf(dir);
  const own = readdirSync(dir).find(name => /^licen[cs]e/i.test(name));
  const file = own ? join(dir, own) : join(LICENCES, `${name}.txt`);
  if (!existsSync(file)) throw new Error(`${name} has no licence text; write it (${license}) to ${file}`);
  return `${name} ${version}\n\n${readFileSync(file, 'utf8').trim()}`;
}
