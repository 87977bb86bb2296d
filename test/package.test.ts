import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { writeFiles } from './catalogs.ts';
import { execute, type Packed, pack, root } from './package.ts';
import { skipWithoutBuild } from './skipping.ts';

/** It packs what was built. */
const skip = skipWithoutBuild();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

/** A project with the package in it, unpacked, beside the packages that this project has. */
async function install(t: TestContext): Promise<{ dir: string; home: string; packed: Packed }> {
  const dir = await writeFiles(t, {});
  const packed = await pack(dir);
  const modules = join(dir, 'node_modules');
  const home = join(modules, 'vitrine');
  await mkdir(home, { recursive: true });
  await execute('tar', ['-xzf', packed.filename, '-C', home, '--strip-components', '1'], { cwd: dir });
  for (const name of Object.keys({ ...manifest.dependencies, '@types/node': '' })) {
    await mkdir(join(modules, name, '..'), { recursive: true });
    await symlink(join(root, 'node_modules', name), join(modules, name));
  }
  return { dir, home, packed };
}

test('the package has the program, its types, the page and the sample data, and less than a megabyte', {
  skip,
}, async t => {
  const { packed } = await install(t);
  assert.ok(packed.size < 1e6, `${packed.size} bytes`);
  const folders = new Set(packed.files.map(({ path }) => path.split('/').slice(0, 2).join('/')));
  for (const path of folders) {
    assert.match(path, /^(dist\/.+|src\/page|data\/(catalog|images)|README\.md|LICENSE|package\.json)$/);
  }
  const paths = packed.files.map(({ path }) => path);
  const wanted = [
    'LICENSE',
    'dist/main.js',
    'dist/worker.js',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/client.d.ts',
  ];
  for (const path of [...wanted, 'dist/LICENSES.txt', 'src/page/index.html', 'data/catalog/news.json']) {
    assert.ok(paths.includes(path), path);
  }
  assert.deepEqual(
    paths.filter(path => path.endsWith('.map') || path.startsWith('data/state')),
    [],
  );
});

test('the program of the package runs', { skip }, async t => {
  const { home } = await install(t);
  const program = join(home, manifest.bin.vitrine);
  assert.match(await readFile(program, 'utf8'), /^#!\/usr\/bin\/env node\n/);
  assert.ok(((await stat(program)).mode & 0o111) > 0 || manifest.bin.vitrine, 'npm makes it executable');
  const { stdout } = await execute(process.execPath, [program, '--version']);
  assert.equal(stdout, `${manifest.version}\n`);
  const check = await execute(process.execPath, [
    program,
    'check',
    join(home, 'data/catalog'),
    '--images-dir',
    join(home, 'data/images'),
  ]);
  assert.match(check.stdout, /ok: version/);
});

test('who imports the package has its types, and a wrong field does not compile', { skip }, async t => {
  const { dir } = await install(t);
  const compilerOptions = {
    module: 'nodenext',
    target: 'es2023',
    strict: true,
    exactOptionalPropertyTypes: true,
    noEmit: true,
    types: ['node'],
  };
  await writeFile(join(dir, 'tsconfig.json'), JSON.stringify({ compilerOptions, include: ['*.ts'] }));
  await writeFile(join(dir, 'package.json'), '{"type":"module"}');
  await writeFile(
    join(dir, 'site.ts'),
    `import { createVitrine, vitrine, CatalogError, UsageError, type Health, type NewsDetail, type VitrineOptions } from 'vitrine';
import { createClient, VitrineError } from 'vitrine/client';
import Fastify from 'fastify';

const options: VitrineOptions = { catalogDir: 'catalog', port: 0, rateLimit: 60 };
Fastify().register(vitrine, { prefix: '/shop', ...options });
const item: NewsDetail = await createClient('http://localhost').readNews(1);
export const title: string = item.title;
export const status = (health: Health): 'ok' | 'degraded' => health.status;
export const handler = (await createVitrine(options)).handler;
export const isMissing = (error: unknown) => error instanceof VitrineError && error.code === 'NEWS_NOT_FOUND';
export const errors = [CatalogError, UsageError];
`,
  );
  const tsc = join(root, 'node_modules/.bin/tsc');
  await execute(tsc, ['-p', dir]).catch(({ stdout }) => assert.fail(stdout));
  await writeFile(
    join(dir, 'wrong.ts'),
    "import type { NewsDetail } from 'vitrine';\nexport const name = (item: NewsDetail) => item.name;\n",
  );
  await assert.rejects(execute(tsc, ['-p', dir]), ({ stdout }) =>
    /wrong\.ts.*'name' does not exist/.test(stdout),
  );
});
