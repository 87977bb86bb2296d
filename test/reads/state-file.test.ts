import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { countsForm } from '../../src/reads/counts.ts';
import { leftoverForm } from '../../src/reads/redis/leftover.ts';
import { systemDisk } from '../../src/reads/state/disk.ts';
import { openStateFile } from '../../src/reads/state/file.ts';
import { type Files, writeFiles } from '../catalogs.ts';
import { keepingLog } from './stores.ts';

const NAME = 'read-counts.json';

async function start(t: TestContext, files: Files = {}) {
  const dir = await writeFiles(t, files);
  const path = join(dir, NAME);
  const log = keepingLog();
  const open = () => openStateFile(path, countsForm, log, systemDisk);
  return { dir, path, messages: log.messages, open, file: open() };
}

test('a missing file is a fresh start', async t => {
  const { file, messages } = await start(t);
  assert.equal(await file.load(), undefined);
  assert.deepEqual(messages, []);
});

test('what is saved is loaded again, is readable by a person, and the one before is kept', async t => {
  const { dir, path, file, open, messages } = await start(t);
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
    counts: { 12: 103, 9007199254740991: 1 },
  });
  assert.match(await readFile(path, 'utf8'), /\n {2}"counts": \{\n {4}"12": 103,\n/);
  assert.deepEqual((await readdir(dir)).sort(), [NAME, `${NAME}.prev`]);
  assert.deepEqual(messages, []);
});

test('generations go on where the last process stopped', async t => {
  const { path, file, open } = await start(t);
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
  '{"format":2,"counts":{}}',
  '{"format":1}',
  '{"format":1,"counts":{"a":1}}',
  '{"format":1,"counts":{"0":1}}',
  '{"format":1,"counts":{"1":-1}}',
  '{"format":1,"counts":{"1":"5"}}',
  '{"format":1,"counts":{"1":1.5}}',
  '{"format":1,"counts":5}',
  '{"format":1,"counts":[]}',
];

test('a broken file is set aside as it is, with a loud error, and the one before it is gone on from', async t => {
  for (const text of broken) {
    const { dir, path, file, open, messages } = await start(t);
    await file.save(new Map([[1, 5]]));
    await file.save(new Map([[1, 6]]));
    await writeFile(path, text);
    const next = open();
    assert.deepEqual(await next.load(), new Map([[1, 5]]), text);
    const aside = (await readdir(dir)).find(name => /^read-counts\.json\.broken-\d{4}-/.test(name)) ?? '';
    assert.equal(await readFile(join(dir, aside), 'utf8'), text);
    assert.equal(messages.length, 1);
    assert.match(
      messages[0] ?? '',
      /^error: .*read-counts\.json is broken \(.+\): it is kept as .*\.broken-/,
    );
    await next.save(new Map([[1, 7]]));
    assert.equal(await readFile(join(dir, aside), 'utf8'), text);
    assert.deepEqual(await open().load(), new Map([[1, 7]]));
  }
});

test('where the one before is broken as well, both are set aside, and counting starts anew', async t => {
  const { dir, file, messages } = await start(t, { [NAME]: '{', [`${NAME}.prev`]: '[' });
  assert.equal(await file.load(), undefined);
  assert.equal((await readdir(dir)).filter(name => name.includes('.broken-')).length, 2);
  assert.equal(messages.length, 2);
});

test('a directory in the place of the file is set aside, too', async t => {
  const { path, file, open, messages } = await start(t);
  await mkdir(path);
  assert.equal(await file.load(), undefined);
  assert.equal(messages.length, 1);
  await file.save(new Map([[1, 1]]));
  assert.deepEqual(await open().load(), new Map([[1, 1]]));
});

test('where there is only the one before, it is gone on from', async t => {
  const { path, file, open, messages } = await start(t);
  await file.save(new Map([[1, 5]]));
  await rename(path, `${path}.prev`);
  assert.deepEqual(await open().load(), new Map([[1, 5]]));
  assert.deepEqual(messages, []);
});

test('a file that was edited while nobody ran is joined with the one before it, and the log says so', async t => {
  const { path, file, open, messages } = await start(t);
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

test('a file that was written by hand, or laid out in another way, is one', async t => {
  const { path, file, open, messages } = await start(t, { [NAME]: '{"format":1,"counts":{"3":7}}' });
  assert.deepEqual(await file.load(), new Map([[3, 7]]));
  messages.length = 0;
  await file.save(new Map([[3, 8]]));
  await writeFile(path, JSON.stringify(JSON.parse(await readFile(path, 'utf8'))));
  assert.deepEqual(await open().load(), new Map([[3, 8]]));
  assert.deepEqual(messages, []);
});

test('a file that somebody else has changed meanwhile is not replaced', async t => {
  for (const change of [(path: string) => writeFile(path, 'edited'), (path: string) => rm(path)]) {
    const { path, file } = await start(t);
    await file.save(new Map([[1, 5]]));
    assert.equal(await file.isUntouched(), true);
    await change(path);
    assert.equal(await file.isUntouched(), false);
    await assert.rejects(file.save(new Map([[1, 6]])), { message: `somebody else has changed ${path}` });
    await file.load();
    assert.equal(await file.isUntouched(), true);
    await file.save(new Map([[1, 6]]));
  }
});

test('a save that fails leaves the last one in place', async t => {
  const { path, file, open } = await start(t);
  await file.save(new Map([[1, 5]]));
  await mkdir(`${path}.tmp`);
  await assert.rejects(file.save(new Map([[1, 6]])));
  assert.deepEqual(await open().load(), new Map([[1, 5]]));
});

test('batches have to be what they were: with another checksum their file is broken', async t => {
  const { path, messages } = await start(t);
  const open = () =>
    openStateFile(
      path,
      leftoverForm,
      { ...keepingLog(), error: text => void messages.push(text) },
      systemDisk,
    );
  const batch = (sequence: number) => ({
    instance: 'a',
    sequence,
    deltas: [{ id: 1, reads: 2, floor: 100 }],
  });
  const leftover = { counts: new Map([[1, 102]]), kept: [batch(1)], unsent: [batch(2)] };
  await open().save(leftover);
  assert.deepEqual(await open().load(), leftover);
  await writeFile(path, (await readFile(path, 'utf8')).replace('[1,2,100]', '[1,3,100]'));
  assert.equal(await open().load(), undefined);
  assert.match(messages.join(), /its checksum is another/);
});
