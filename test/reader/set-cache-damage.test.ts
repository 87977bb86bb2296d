import assert from 'node:assert/strict';
import { readdir, readFile, rm, unlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { catalogNames } from '../../src/contract/columns.ts';
import { systemFs } from '../../src/files/atomic-write.ts';
import { readParts, writeParts } from '../../src/reader/cache/cache-store.ts';
import {
  ALL_ROWS,
  cacheOf,
  csvOf,
  files,
  NEWS_ROWS,
  newSource,
  newsRows,
  openService,
  pricesOf,
} from '../support/catalog/cached-sets.ts';
import { type Files, writeFiles, writeInto } from '../support/catalogs.ts';

test('no byte of the cache can change or be missing without being noticed', async t => {
  const source = await newSource(t);
  await openService(source).takeUp();
  const dir = cacheOf(source);
  const names = await readdir(dir);
  assert.equal(names.length, catalogNames.length + 1);
  for (const name of names) {
    const path = join(dir, name);
    const content = await readFile(path);
    const reads = (changed: Buffer, at = path) =>
      readParts({ ...systemFs, readBytes: async () => changed }, at);
    assert.ok((await reads(content))?.length);
    for (let at = 0; at < content.length; at += 1) {
      const changed = Buffer.from(content);
      changed[at] = (changed[at] ?? 0) ^ (1 << (at % 8));
      await assert.rejects(reads(changed), /checksum/, `byte ${at} of ${name}`);
      if (at % 7 === 0) await assert.rejects(reads(content.subarray(0, at)), /checksum/);
    }
    for (const other of names.filter(one => one !== name))
      await assert.rejects(reads(content, join(dir, other)), /checksum/);
  }
});

test('a damaged cache is told of, and written anew from the file', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  const data = service.data();
  for (const name of await readdir(cacheOf(source))) {
    const path = join(cacheOf(source), name);
    const content = await readFile(path);
    await writeFile(path, content.subarray(0, content.length - 1));
    service.restart();
    await service.takeUp();
    const [catalog] = name.split('-');
    assert.equal(service.rows() > 0, true, name);
    assert.deepEqual(service.data(), data);
    assert.deepEqual(service.damage.splice(0), [
      `the cache of ${catalog} is damaged (its checksum does not match): reading the file again`,
    ]);
    assert.deepEqual(await readFile(path), content);
  }
});

test('a cache that is deleted while its set is served is written anew', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  await rm(cacheOf(source), { recursive: true });
  await writeInto(source.catalogDir, { 'prices.csv': pricesOf('11') });
  await service.takeUp();
  const data = service.data();
  service.restart();
  await service.takeUp();
  assert.equal(service.rows(), 0);
  assert.deepEqual(service.data(), data);
});

test('what another version of the program has kept is not read, and deleted', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  const dir = cacheOf(source);
  const names = await readdir(dir);
  for (const name of names) {
    const parts = (await readParts(systemFs, join(dir, name))) ?? assert.fail();
    await unlink(join(dir, name));
    await writeParts(
      systemFs,
      join(
        dir,
        name.replace(/-./, at => (at === '-0' ? '-1' : '-0')),
      ),
      parts,
    );
  }
  service.restart();
  await service.takeUp();
  assert.equal(service.rows(), ALL_ROWS);
  assert.deepEqual((await readdir(dir)).sort(), names.sort());
});

test('files that are read in another way are read again', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  for (const options of [
    { timeZone: 'Asia/Shanghai' },
    { csvDecimal: ',' as const },
    { csvEncoding: 'gbk' },
  ]) {
    const other = openService({ ...source, ...options });
    await other.takeUp();
    assert.equal(other.rows(), ALL_ROWS);
  }
});

test('prices that name products are not taken from the cache of another directory, where these have other ids', async t => {
  const source = await newSource(t);
  const named = { 'prices.csv': pricesOf('11').replaceAll(/^(\d),1,/gm, '$1,Server,') };
  await writeInto(source.catalogDir, named);
  const service = openService(source);
  await service.takeUp();
  const data = service.data();
  const others: Files = {
    ...{ ...files, ...named, 'products.json': [{ id: 2, name: 'Server' }] },
    'configurations.csv': String(files['configurations.csv']).replaceAll(/^(1\d),1/gm, '$1,2'),
  };
  const other = openService({ ...source, catalogDir: await writeFiles(t, others) });
  await other.takeUp();
  assert.equal(other.served()?.snapshot.prices.product_id[0], 2);
  service.restart();
  await service.takeUp();
  assert.deepEqual(service.data().prices, data.prices);
});

test('changed news items are read, even if another directory has put them into the cache', async t => {
  const source = await newSource(t);
  const service = openService(source);
  await service.takeUp();
  const changed = { 'news.csv': csvOf(newsRows(5)) };
  const other = openService({ ...source, catalogDir: await writeFiles(t, { ...files, ...changed }) });
  await other.takeUp();
  await writeInto(source.catalogDir, changed);
  service.restart();
  await service.takeUp();
  assert.equal(service.rows(), NEWS_ROWS - 1);
  assert.equal(service.served()?.report.changes?.summary, '1 news item removed');
});
