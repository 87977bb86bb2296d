import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { test } from 'node:test';
import { packageVersion } from '../../src/package-version.ts';
import { NAME, startCountsFile } from '../support/reads/counts-file.ts';

test('a missing file is a fresh start', async t => {
  const { file, messages } = await startCountsFile(t);
  assert.equal(await file.load(), undefined);
  assert.deepEqual(messages, []);
});

test('a save can be loaded, is readable, and keeps the file before it', async t => {
  const { dir, path, file, open, messages } = await startCountsFile(t);
  const counts = new Map([
    [12, 103],
    [9_007_199_254_740_991, 1],
  ]);
  await file.save(new Map([[12, 102]]));
  await file.save(counts);
  assert.deepEqual(await open().load(), counts);
  const { checksum, ...readable } = JSON.parse(await readFile(path, 'utf8'));
  assert.match(checksum, /^[0-9a-f]{16}$/);
  assert.deepEqual(readable, {
    format: 1,
    generation: 2,
    version: packageVersion(),
    counts: { 12: 103, 9007199254740991: 1 },
  });
  assert.match(await readFile(path, 'utf8'), /\n {2}"counts": \{\n {4}"12": 103,\n/);
  assert.deepEqual((await readdir(dir)).sort(), [NAME, `${NAME}.prev`]);
  assert.deepEqual(messages, []);
});

test('a new process continues the generations', async t => {
  const { path, file, open } = await startCountsFile(t);
  await file.save(new Map());
  const next = open();
  await next.load();
  await next.save(new Map([[1, 1]]));
  assert.equal(JSON.parse(await readFile(path, 'utf8')).generation, 2);
});

const broken = [
  '',
  '{',
  'null',
  '[]',
  '\0\0\0\0',
  '{"format":0,"counts":{}}',
  '{"format":"2","counts":{}}',
  '{"format":1e999,"counts":{}}',
  '{"format":10123456789,"counts":{}}',
  '{"format":1.5,"counts":{}}',
  '{"format":1}',
  '{"format":1,"counts":{"a":1}}',
  '{"format":1,"counts":{"0":1}}',
  '{"format":1,"counts":{"1":9,"01":3}}',
  '{"format":1,"counts":{"1e2":1}}',
  '{"format":1,"counts":{" 5":1}}',
  '{"format":1,"counts":{"5.0":1}}',
  '{"format":1,"counts":{"1":-1}}',
  '{"format":1,"counts":{"1":"5"}}',
  '{"format":1,"counts":{"1":1.5}}',
  '{"format":1,"counts":{"1":9007199254740994}}',
  '{"format":1,"counts":5}',
  '{"format":1,"counts":[]}',
];

test('a broken file is renamed with an error in the log, and the file before it is loaded', async t => {
  for (const text of broken) {
    const { dir, path, file, open, messages } = await startCountsFile(t);
    await file.save(new Map([[1, 5]]));
    await file.save(new Map([[1, 6]]));
    await writeFile(path, text);
    const next = open();
    assert.deepEqual(await next.load(), new Map([[1, 5]]), text);
    const aside = (await readdir(dir)).find(name => /^read-counts\.json\.broken-\d{4}-/.test(name)) ?? '';
    assert.equal(await readFile(join(dir, aside), 'utf8'), text);
    assert.equal(messages.length, 1);
    assert.match(messages[0] ?? '', /^error: .*read-counts\.json is broken \(.+\): kept as .*\.broken-/);
    await next.save(new Map([[1, 7]]));
    assert.equal(await readFile(join(dir, aside), 'utf8'), text);
    assert.deepEqual(await open().load(), new Map([[1, 7]]));
  }
});

test('if both files are broken, both are renamed and counting starts anew', async t => {
  const { dir, file, messages } = await startCountsFile(t, { [NAME]: '{', [`${NAME}.prev`]: '[' });
  assert.equal(await file.load(), undefined);
  assert.equal((await readdir(dir)).filter(name => name.includes('.broken-')).length, 2);
  assert.equal(messages.length, 2);
});

test('a directory in place of the file is renamed too', async t => {
  const { path, file, open, messages } = await startCountsFile(t);
  await mkdir(path);
  assert.equal(await file.load(), undefined);
  assert.equal(messages.length, 1);
  await file.save(new Map([[1, 1]]));
  assert.deepEqual(await open().load(), new Map([[1, 1]]));
});

test('a pipe in place of the file is renamed and blocks no start', {
  timeout: 10_000,
}, async t => {
  const { path, file, open, messages } = await startCountsFile(t);
  execFileSync('mkfifo', [path]);
  assert.equal(await file.load(), undefined);
  assert.match(messages.join(), /^error: .* is broken/);
  await file.save(new Map([[1, 1]]));
  assert.deepEqual(await open().load(), new Map([[1, 1]]));
});

test('if only the file before it exists, that is loaded', async t => {
  const { path, file, open, messages } = await startCountsFile(t);
  await file.save(new Map([[1, 5]]));
  await rename(path, `${path}.prev`);
  assert.deepEqual(await open().load(), new Map([[1, 5]]));
  assert.deepEqual(messages, []);
});

test('a file edited while no process ran is merged with the file before it, with a warning', async t => {
  const { path, file, open, messages } = await startCountsFile(t);
  await file.save(
    new Map([
      [1, 5],
      [2, 5],
    ]),
  );
  await file.save(
    new Map([
      [1, 6],
      [2, 6],
    ]),
  );
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"1": 6', '"1": 90').replace('"2": 6', '"2": 1'));
  assert.deepEqual(
    await open().load(),
    new Map([
      [1, 90],
      [2, 5],
    ]),
  );
  assert.match(messages.join(), /^warn: .*read-counts\.json was edited/);
});

test('counts of a damaged file before an intact one are ignored', async t => {
  const { path, file, open, messages } = await startCountsFile(t);
  for (const count of [5, 6]) await file.save(new Map([[1, count]]));
  const previous = `${path}.prev`;
  await writeFile(previous, (await readFile(previous, 'utf8')).replace('"1": 5', '"1": 95'));
  assert.deepEqual(await open().load(), new Map([[1, 6]]));
  assert.deepEqual(messages, []);
});

test('a handwritten or reformatted file is valid', async t => {
  const { path, file, open, messages } = await startCountsFile(t, {
    [NAME]: '{"format":1,"counts":{"3":7}}',
  });
  assert.deepEqual(await file.load(), new Map([[3, 7]]));
  messages.length = 0;
  await file.save(new Map([[3, 8]]));
  await writeFile(path, JSON.stringify(JSON.parse(await readFile(path, 'utf8'))));
  assert.deepEqual(await open().load(), new Map([[3, 8]]));
  assert.deepEqual(messages, []);
});

test('a file that somebody else changed is not replaced', async t => {
  for (const change of [(path: string) => writeFile(path, 'edited'), (path: string) => rm(path)]) {
    const { path, file } = await startCountsFile(t);
    await file.save(new Map([[1, 5]]));
    assert.equal(await file.isUnchanged(), true);
    await change(path);
    assert.equal(await file.isUnchanged(), false);
    await assert.rejects(file.save(new Map([[1, 6]])), {
      message: `somebody else changed ${basename(path)}`,
    });
    await file.load();
    assert.equal(await file.isUnchanged(), true);
    await file.save(new Map([[1, 6]]));
  }
});

test('a save that fails leaves the last one in place', async t => {
  const { path, file, open } = await startCountsFile(t);
  await file.save(new Map([[1, 5]]));
  await mkdir(`${path}.tmp`);
  await assert.rejects(file.save(new Map([[1, 6]])));
  assert.deepEqual(await open().load(), new Map([[1, 5]]));
});
