import assert from 'node:assert/strict';
import { mkdir, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type CatalogName, catalogNames, catalogs } from '../../src/contract/columns.ts';
import { formatProblem } from '../../src/set/collect-problems.ts';
import { fileError, folderError, imageFiles } from '../../src/set/directory.ts';
import { type Files, markdown, shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { readFiles, readSource } from '../support/read-source.ts';
import { startService } from '../support/service.ts';

async function read(files: Files) {
  const { report, rows } = await readFiles(files);
  assert.deepEqual(
    report.problems.filter(({ code }) => code !== 'NO_IMAGE'),
    [],
  );
  return { version: report.version, rows: rows ?? assert.fail('the set was refused') };
}

test('the version is that of the rows that are served, whatever their notation and order', async () => {
  const { version } = await read(shop);
  assert.equal(version, 'cb5cdb402bf3');
  const [configurations, prices] = [String(shop['configurations.csv']), String(shop['prices.csv'])];
  const news = shop['news.json'] as { id: number; hidden?: boolean }[];
  const withEach = (cells: object): Files => ({ 'news.json': news.map(item => ({ ...item, ...cells })) });
  const same: Files[] = [
    { 'news.json': news.toReversed() },
    {
      'products.json':
        '[{"id":1,"n\\u0061me":"Cloud server","description":"Small & quick"},{"name":"香港云服务器","id":2},{"id":3,"description":null,"name":"Sold out"}]',
    },
    ...[0, '0', null, ''].map(unpublish_time => withEach({ unpublish_time })),
    // Rows that are not served.
    { 'configurations.csv': configurations.replace('14,1,Secret,16', '14,1,Draft,32') },
    { 'prices.csv': prices.replace('107,1,14,2,1', '107,1,14,2,2') },
    { 'news.json': news.filter(({ hidden }) => !hidden) },
  ];
  const others: Files[] = [
    withEach({ unpublish_time: '2035-01-01' }),
    withEach({ read: 101 }),
    { 'news.json': news.filter(({ id }) => id !== 6) },
    { 'durations.json': null },
    { 'news_types.json': null },
  ];
  for (const files of [...same, ...others]) {
    const isSame: boolean = (await read(shopWith(files))).version === version;
    assert.equal(isSame, same.includes(files), JSON.stringify(files));
  }
});

test('a link to a folder is read as the folder', async t => {
  const catalogDir = await writeFiles(t, markdown);
  const bundle = await writeFiles(t, { 'index.md': '# Bundle\n\nText\n', 'prices.csv': 'id,price\n' });
  await symlink(bundle, join(catalogDir, 'news/2026-06-01-s'));
  await symlink(bundle, join(catalogDir, 'archive'));
  const { rows, report } = await readSource(sourceIn(catalogDir));
  assert.ok(rows?.news?.some(({ id }) => id === 20260601));
  assert.ok(report.problems.some(({ code, file }) => code === 'NOT_READ' && file === 'archive/prices.csv'));
});

test('what the system cannot read is described without codes and paths', async t => {
  const cases: [what: string, make: (path: string) => unknown, told: RegExp][] = [
    ['a link to itself', path => symlink('products.csv', path), /^this is a link to a file that does not /],
    ['a dangling link', path => symlink('gone', path), /^this is a link to a file that does not exist: /],
    ['a folder', path => mkdir(path), /^this is a folder, a pipe or a device: rename or move it/],
  ];
  for (const [what, make, told] of cases) {
    const catalogDir = await writeFiles(t, shopWith({ 'products.json': null }));
    await make(join(catalogDir, 'products.csv'));
    const { report, rows } = await readSource(sourceIn(catalogDir));
    const [problem] = report.problems;
    assert.deepEqual([problem?.code, rows], ['UNREADABLE_FILE', undefined], what);
    assert.match(problem?.message ?? '', told, what);
  }
  const root = await writeFiles(t, { file: '' });
  for (const [name, told] of [
    ['file', /^this is not a folder: only your administrator can /],
    ['gone', /^this folder does not exist: create it, or ask your administrator /],
  ] as const) {
    const { report } = await readSource(sourceIn(join(root, name)));
    assert.equal(report.problems[0]?.code, 'NO_DIRECTORY');
    assert.match(report.problems[0]?.message ?? '', told);
  }
  const error = (code: string, errno: number) => Object.assign(new Error(`${code}: /srv/x`), { code, errno });
  for (const [told, words] of [
    [fileError(error('EACCES', -13)), /^the service is not permitted to read this file: only your admin/],
    [fileError(error('EBUSY', -16)), /^another program has locked this file: close /],
    [fileError(error('ESTALE', -116)), /^the network drive does not answer: only your administrator can /],
    [
      fileError(error('EXDEV', -18)),
      /^this file cannot be read \(cross-device link not permitted\): save it /,
    ],
    [folderError(error('EACCES', -13)), /^the service is not permitted to read this folder: only your admin/],
    [
      folderError(error('EXDEV', -18)),
      /^this folder cannot be read \(cross-device link .*\): ask your admin/,
    ],
  ] as const)
    assert.match(told, words);
});

test('the images are the files of the directory, and unknown if it cannot be read or does not respond', async t => {
  const dir = await writeFiles(t, { 'a.png': '', 'b.txt': '' });
  assert.deepEqual((await imageFiles(dir))?.names, new Set(['a.png', 'b.txt']));
  assert.deepEqual((await imageFiles(`${dir}/nowhere`))?.names, new Set());
  assert.equal(await imageFiles(join(dir, 'a.png')), undefined);
  const alive = setInterval(() => {}, 60_000);
  assert.equal(await imageFiles(dir, () => new Promise(() => {}), 1), undefined);
  clearInterval(alive);
});

test('no file, nor all Markdown files together, may be larger than MAX_FILE_MB', async t => {
  const text = `---\ncreate_time: 2024-01-01\n---\n# A\n\n${'x'.repeat(700_000)}`;
  const files = shopWith({ 'news.json': null, 'news/8.md': text, 'news/9.md': text });
  assert.equal(
    (await readSource(sourceIn(await writeFiles(t, files), { maxFileMb: 2 }))).rows?.news?.length,
    2,
  );
  const large = { ...files, 'durations.json': null, 'durations.csv': 'x'.repeat(1_500_000) };
  const { report } = await readSource(sourceIn(await writeFiles(t, large), { maxFileMb: 1 }));
  assert.deepEqual(report.problems.map(formatProblem), [
    'news/*.md: error FILE_TOO_BIG these files have more than 1 MB together: delete some, or ask your administrator to raise MAX_FILE_MB',
    'durations.csv: error FILE_TOO_BIG the file has 2 MB, but only 1 MB are allowed: make it smaller, or ask your administrator to raise MAX_FILE_MB',
  ]);
});

const only = (names: readonly string[]): Files =>
  Object.fromEntries(Object.entries(shop).filter(([file]) => names.includes(file.split('.')[0] ?? '')));

test('a catalog may be absent unless another refers to it, but not all of them', async () => {
  for (let bits = 0; bits < 2 ** catalogNames.length; bits += 1) {
    const names = catalogNames.filter((_, index) => bits & (2 ** index));
    const missing = catalogNames.filter(
      name =>
        !names.includes(name) && catalogs[name].neededBy.some(user => names.includes(user as CatalogName)),
    );
    const { report } = await readFiles(only(names));
    const told = report.problems.filter(({ code }) => code === 'MISSING_FILE').map(({ file }) => file);
    if (names.length === 0) assert.match(report.problems[0]?.message ?? '', /^the directory has no catalog /);
    const expected = names.length === 0 ? ['memory'] : missing.map(name => `${name}.csv`);
    assert.deepEqual(told, expected, names.join());
    assert.equal(report.version !== undefined, names.length > 0 && missing.length === 0, names.join());
  }
});

test('a site with news alone answers every endpoint, and so does a shop without news', async t => {
  const paths = [
    '/api/recommend-config?product_id=1',
    '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=4',
    ...['/api/news', '/api/news/1', '/overview', '/health'],
  ];
  for (const [files, statuses] of [
    [only(['news']), [200, 404, 200, 200, 200, 200]],
    [shopWith({ 'news.json': null, 'news_types.json': null }), [200, 200, 200, 404, 200, 200]],
  ] as const) {
    const { ask } = await startService(t, files);
    const found = await Promise.all(paths.map(async path => (await ask(path)).status));
    assert.deepEqual(found, statuses);
  }
});
