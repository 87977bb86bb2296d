import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import { writeFiles } from './support/catalogs.ts';
import { linksIn, pages, readPage } from './support/manual.ts';
import { execute, install, root } from './support/package.ts';
import { skipWithoutBuild } from './support/skipping.ts';

/** It packs what was built. */
const skip = skipWithoutBuild();
const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

test('the package has the program, its types, the page, the sample data and the manual, in two and a quarter megabytes', {
  skip,
}, async t => {
  const { packed } = await install(t);
  assert.ok(packed.size < 2.25e6, `${packed.size} bytes`);
  const isExpected =
    /^(dist|data\/(catalog|images)|scripts\/deploy)\/.+|README\.md|^(\.github\/\w+\.md|scripts\/screenshot\/\w+\.png|CHANGELOG\.md|LICENSE|package\.json)$/;
  for (const { path } of packed.files) assert.match(path, isExpected);
  const paths = packed.files.map(({ path }) => path);
  const wanted = [
    'LICENSE',
    'dist/main.js',
    'dist/reader.js',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/client.d.ts',
    'dist/docs/openapi.json',
    'dist/docs/swagger-ui-bundle.js',
  ];
  for (const path of [
    ...wanted,
    'dist/LICENSES.txt',
    'dist/page/index.html',
    'dist/page/main.js',
    'data/catalog/news.json',
  ]) {
    assert.ok(paths.includes(path), path);
  }
  assert.deepEqual(
    paths.filter(path => path.endsWith('.map') || path.startsWith('data/state')),
    [],
  );
});

test('the package has the licence texts of all that it contains, also of what swagger-ui bundles', {
  skip,
}, async () => {
  const licences = await readFile(join(root, 'dist/LICENSES.txt'), 'utf8');
  const swaggerUi = await readFile(join(root, 'dist/docs/swagger-ui-bundle.js'), 'utf8');
  // With another version, scripts/licences/swagger-ui.txt has to be compared with the packages in its bundle.
  const [, version] = /PACKAGE_VERSION:"([\d.]+)"/.exec(swaggerUi) ?? assert.fail('no version');
  assert.ok(licences.includes(`\nswagger-ui ${version}, and the packages that are part of its`), version);
  for (const holder of ['Isaac Z. Schlueter and Contributors', 'Facebook, Inc.', 'Scott Sauyet', 'Cure53'])
    assert.ok(licences.includes(holder), holder);
  assert.doesNotMatch(licences, /^Licence: /m);
});

test('every link of a page in the package leads to a file in the package', async t => {
  const { packed } = await install(t);
  const paths = new Set(packed.files.map(({ path }) => path));
  for (const page of pages) {
    assert.ok(paths.has(page), page);
    for (const link of linksIn(readPage(page))) {
      const [path = ''] = link.split('#');
      if (path && !path.startsWith('https:'))
        assert.ok(paths.has(join(dirname(page), path)), `${page}: ${link}`);
    }
  }
});

test('the program in the package runs without any other package', { skip }, async t => {
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

test('installing the package adds the addon for locks and no other package', () => {
  const { dependencies = {}, optionalDependencies, peerDependencies, peerDependenciesMeta } = manifest;
  assert.deepEqual(Object.keys({ ...dependencies, ...optionalDependencies }), ['fs-native-extensions']);
  for (const name of Object.keys(peerDependencies))
    assert.deepEqual(peerDependenciesMeta[name], { optional: true });
});

test('a route with schemas in an app of the package works without Fastify installed', {
  skip,
}, async t => {
  const { dir, home } = await install(t);
  const sample = { catalogDir: join(home, 'data/catalog'), imagesDir: join(home, 'data/images') };
  const options = { ...sample, stateDir: join(dir, 'state'), logLevel: 'silent' };
  const code = `
    const { createVitrine } = require('vitrine');
    const { version } = require('vitrine/package.json');
    const number = { type: 'object', required: ['n'], properties: { n: { type: 'integer' } } };
    createVitrine(${JSON.stringify(options)}).then(async app => {
      app.get('/double', { schema: { querystring: number, response: { 200: number } } }, ({ query }) => ({
        n: query.n * 2,
        more: 1,
      }));
      const statuses = [];
      for (const url of ['/double?n=x', '/documentation/', '/documentation/static/swagger-ui.css', '/'])
        statuses.push((await app.inject(url)).statusCode);
      console.log(version, (await app.inject('/double?n=3')).body, statuses.join());
      await app.close();
    });`;
  const { stdout } = await execute(process.execPath, ['--input-type=commonjs', '-e', code], { cwd: dir });
  assert.equal(stdout, `${manifest.version} {"n":6} 400,200,200,200\n`);
});

test('a build without the development packages says in one line what to do', async t => {
  const dir = await writeFiles(t, {});
  for (const name of ['src', 'scripts']) await cp(join(root, name), join(dir, name), { recursive: true });
  const build = execute(process.execPath, [join(dir, 'scripts/build.mjs'), '--if-stale']);
  await assert.rejects(build, {
    code: 1,
    stdout: '',
    stderr: 'cannot build: the packages for development are missing; run "npm ci" without --omit=dev\n',
  });
});

test('the npm scripts run in a POSIX shell and in cmd', async () => {
  for (const [name, script] of Object.entries<string>(manifest.scripts)) {
    assert.doesNotMatch(script, /['"$`|;\\]|(^|&& )(?!exec |node |tsc\b|biome |c8 )/, name);
  }
  assert.match(await readFile(join(root, 'exec.cmd'), 'utf8'), /^@rem .*\r\n@%\*\r\n$/);
});
