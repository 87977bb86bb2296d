import { readdirSync, readFileSync, rmSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build } from 'esbuild';
import { program } from './bundle.mjs';

/** In the root, since what package.json says of `#page/…` is for files below it. */
const OUT = '.test';

/** Packages that find files of their own, or run as programs. */
const external = [
  ...program.external,
  'axe-core',
  'esbuild',
  'express',
  'playwright-core',
  'tsx',
  'typescript',
];

/**
 * Compiles test files, since a loader of TypeScript costs each of their processes half a second. Each is bundled with the
 * sources and the packages that it imports; `mirrored`, every source becomes one file, as coverage needs it.
 * Returns the compiled file of each.
 * @param {string[]} files
 * @param {boolean} mirrored
 */
export async function compileTests(files, mirrored) {
  rmSync(OUT, { recursive: true, force: true });
  const outputOf = (/** @type {string} */ file) => {
    const name = file.replace(/\.ts$/, '');
    return mirrored ? name : name.replaceAll(/[\\/]/g, '+');
  };
  await build({
    ...program,
    entryPoints: mirrored
      ? ['src', 'scripts', 'test'].flatMap(modulesIn)
      : Object.fromEntries(files.map(file => [outputOf(file), file])),
    outdir: OUT,
    outbase: '.',
    chunkNames: 'chunk-[hash]',
    external,
    plugins: mirrored ? [ownAddresses, oneByOne] : [ownAddresses],
  });
  return new Map(files.map(file => [file, resolve(OUT, `${outputOf(file)}.js`)]));
}

function modulesIn(/** @type {string} */ folder) {
  // Not the packages that the bench installs.
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map(name => join(folder, name))
    .filter(name => /\.(ts|mjs)$/.test(name) && !name.includes('node_modules'));
}

/** Modules find other files from where their sources lie. @type {import('esbuild').Plugin} */
const ownAddresses = {
  name: 'own-addresses',
  setup({ onLoad }) {
    onLoad({ filter: /[\\/](src|scripts|test)[\\/].*\.(ts|mjs)$/ }, ({ path }) => {
      if (path.includes('node_modules')) return undefined;
      const contents = readFileSync(path, 'utf8')
        .replaceAll('import.meta.url', JSON.stringify(pathToFileURL(path).href))
        .replaceAll('import.meta.dirname', JSON.stringify(dirname(path)));
      return { contents, loader: 'ts' };
    });
  },
};

/** Keeps what a module imports out of its file. @type {import('esbuild').Plugin} */
const oneByOne = {
  name: 'one-by-one',
  setup({ onResolve }) {
    onResolve({ filter: /./ }, ({ path, kind }) => {
      if (kind === 'entry-point') return undefined;
      return { path: path.startsWith('.') ? path.replace(/\.(ts|mjs)$/, '.js') : path, external: true };
    });
  },
};
