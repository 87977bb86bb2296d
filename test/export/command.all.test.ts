import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { writeExportFolder } from '../../src/commands/export.ts';
import { type Files, newsItems, sample, shop, shopWith, writeFiles, writeInto } from '../support/catalogs.ts';
import { runCommand } from '../support/command.ts';
import { codeBlocks, consoleOutputs, sectionOf } from '../support/manual.ts';
import { until } from '../support/until.ts';
import { filesIn, newSite, run, startExport } from './site.ts';

test('the guide for operators shows the export of the sample catalogs, and the guide for developers its index', async t => {
  const site = await newSite(t, {});
  const { stdout } = await run({ ...site, catalogDir: sample.catalogDir }, { imagesDir: sample.imagesDir });
  const outputs = consoleOutputs('scripts/deploy/README.md');
  const [, output = ''] = outputs.find(([command]) => command === 'vitrine export site') ?? [];
  assert.equal(stdout.replace(site.dir, 'site'), `${output}\n`);
  const index = await readFile(join(site.dir, 'api/index.json'), 'utf8');
  const [example = ''] = codeBlocks(sectionOf('src/http/README.md', 'Static export'), 'json');
  assert.deepEqual(JSON.parse(example), JSON.parse(index));
});

test('an export says its version, its files and bytes, and when the published news changes next', async t => {
  const site = await newSite(t);
  const { code, stdout, stderr } = await run(site, { timeZone: 'Asia/Hong_Kong' });
  assert.deepEqual([code, stderr], [0, '1 image of news items not found, such as launch.png\n']);
  const files = await filesIn(site.dir);
  const { version, until, news } = JSON.parse(String(files.get('api/index.json')));
  assert.deepEqual([until, news], ['2029-12-31T16:00:00Z', 4]);
  assert.equal(
    stdout,
    `${version} → ${site.dir}: ${files.size - 1} files, 0.0 MB
export again after 2030-01-01 00:00:00 (Asia/Hong_Kong), when the published news changes\n`,
  );
  assert.ok(![...files.values()].some(body => body.includes('From 2030 on')));
  const unscheduled = await newSite(t, shopWith({ 'news.json': [] }));
  assert.match((await run(unscheduled)).stdout, /^[0-9a-f]{12} → .*\n$/);
  const index = await readFile(join(unscheduled.dir, 'api/index.json'), 'utf8');
  assert.equal(JSON.parse(index).until, null);
});

test('a second export writes the same bytes, and leaves nothing of what is gone', async t => {
  const site = await newSite(t, { ...shop, 'launch.png': 'png' });
  await run(site);
  const first = await filesIn(site.dir);
  assert.ok(first.has('api/news/1.json') && first.has('images/launch.png'));
  await writeInto(site.dir, { '.well-known/kept': 'yes' });
  assert.equal((await run(site)).code, 0);
  assert.deepEqual(await filesIn(site.dir), first);
  await rm(join(site.catalogDir, 'news.json'));
  assert.equal((await run(site, { basePath: '/shop' })).code, 0);
  const isList = (path: string) => path.startsWith('shop/api/') && !/\/\d+\.json$/.test(path);
  const others = [...(await filesIn(site.dir)).keys()].filter(path => !isList(path));
  assert.deepEqual(others, ['_headers']);
  assert.equal(await readFile(join(site.dir, '.well-known/kept'), 'utf8'), 'yes');
  assert.deepEqual((await readdir(site.dir)).sort(), ['.well-known', '_headers', 'shop']);
});

test('an export into a folder with files of somebody is refused, and changes nothing', async t => {
  const exported = await newSite(t);
  await run(exported);
  for (const [files, message, site] of [
    [{ 'index.html': 'mine' }, /^cannot write into .*: it has index\.html, and no earlier export; name a/],
    [{ _headers: '/*\n  X: y\n' }, /it has _headers, and no earlier export/],
    [{ 'robots.txt': 'mine' }, /it has robots\.txt, which is not of the earlier export/, exported],
  ] as [Files, RegExp, typeof exported?][]) {
    const found = site ?? (await newSite(t));
    await writeInto(found.dir, files);
    const before = await filesIn(found.dir);
    const { code, stdout, stderr } = await run(found);
    assert.deepEqual([code, stdout], [1, '']);
    assert.match(stderr, message);
    assert.deepEqual(await filesIn(found.dir), before);
  }
  const inFile = await run({ ...exported, dir: join(exported.catalogDir, 'prices.csv') });
  assert.match(inFile.stderr, /^cannot write into .*prices\.csv: file already exists\n$/);
});

test('an export that meets new files when it takes its place, or a full disk, leaves them and the earlier one', async t => {
  const dir = await writeFiles(t, {});
  const write = (files: Files) => async (draft: string) => {
    await writeInto(draft, files);
    return { headers: '/api/*\n  x: y\n' };
  };
  await writeExportFolder(dir, write({ 'api/news.json': 'old' }));
  const before = await filesIn(dir);
  const meeting = writeExportFolder(dir, async draft => {
    await writeInto(dir, { 'feeds/mine.txt': 'mine' });
    return write({ 'api/news.json': 'new', 'feeds/news.atom': 'new' })(draft);
  });
  await assert.rejects(meeting, { message: `cannot write into ${dir}: directory not empty` });
  assert.equal(await readFile(join(dir, 'feeds/mine.txt'), 'utf8'), 'mine');
  await rm(join(dir, 'feeds'), { recursive: true });
  const onFullDisk = writeExportFolder(dir, async draft => {
    await writeInto(draft, { 'api/news.json': 'half' });
    throw Object.assign(new Error('write failed'), { code: 'ENOSPC', errno: -28 });
  });
  await assert.rejects(onFullDisk, { message: `cannot write into ${dir}: no space left on device` });
  assert.deepEqual(await filesIn(dir), before);
  assert.deepEqual(await readdir(dir), ['_headers', 'api']);
});

test('a set with errors is reported as by check, and the earlier export stays', async t => {
  const site = await newSite(t);
  await run(site);
  const before = await filesIn(site.dir);
  await writeInto(site.catalogDir, { 'prices.csv': 'id,product_id,rel_id,duration_id,price\n1,1,11,1,x\n' });
  const found = await run(site);
  assert.deepEqual(found, await runCommand(['check', site.catalogDir, '--images-dir', site.catalogDir]));
  assert.equal(found.code, 1);
  assert.match(found.stdout, /prices\.csv:2:10/);
  assert.deepEqual(await filesIn(site.dir), before);
});

/** As many news items as take a while to write. */
const manyNews = shopWith({ 'news.json': newsItems(2_000) });

for (const end of ['SIGTERM', 'SIGKILL', 'another export'] as const) {
  test(`an export that ${end} ends leaves the earlier one, and the next one clears up`, async t => {
    const site = await newSite(t, manyNews);
    await run(site, {}, ['--without-single-prices']);
    const before = await filesIn(site.dir);
    const { child, exit } = startExport(t, site);
    await until(t, async () => {
      const draft = (await readdir(site.dir)).find(name => name.startsWith('.vitrine-'));
      return draft !== undefined && existsSync(join(site.dir, draft, 'api'));
    });
    child.kill(end === 'another export' ? 'SIGSTOP' : end);
    if (end !== 'another export') await exit;
    assert.deepEqual(await filesIn(site.dir), before);
    if (end === 'SIGTERM') assert.deepEqual(await readdir(site.dir), ['_headers', 'api']);
    assert.equal((await run(site, { newsUrl: 'https://example.com/{id}' })).code, 0);
    child.kill('SIGCONT');
    const { code, stderr } = await exit;
    assert.equal(code, end === 'SIGKILL' ? null : 1);
    if (end === 'SIGTERM') assert.equal(stderr, `stopped by SIGTERM; ${site.dir} is as before\n`);
    assert.deepEqual(await readdir(site.dir), ['_headers', 'api', 'feeds']);
  });
}
