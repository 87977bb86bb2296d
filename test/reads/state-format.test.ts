import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemFs } from '../../src/files/atomic-write.ts';
import { packageVersion } from '../../src/package-version.ts';
import { openStateFile } from '../../src/reads/file/state-file.ts';
import { countsInFile } from '../../src/reads/import-export.ts';
import { knownFormat } from '../../src/reads/redis/rows.ts';
import { NAME, startCountsFile } from '../support/reads/counts-file.ts';
import { keepingLog } from '../support/reads/stores.ts';

const newer = '{"format":2,"version":"7.1.0","counts":{"1":{"reads":5}}}';

const older = '{"format":1,"counts":{"1":5}}';

test('a file in a newer format is neither loaded nor touched, and the error names its version', async t => {
  const { dir, path, file, messages } = await startCountsFile(t, { [NAME]: newer, [`${NAME}.prev`]: older });
  await assert.rejects(file.load(), {
    message: `${path} has format 2, written by Vitrine 7.1.0, but Vitrine ${packageVersion()} reads format 1: use a newer Vitrine`,
  });
  assert.equal(await readFile(path, 'utf8'), newer);
  assert.deepEqual((await readdir(dir)).sort(), [NAME, `${NAME}.prev`]);
  assert.deepEqual(messages, []);
});

test('the file before it may have a newer format: the counts are loaded without it, and no save replaces it', async t => {
  const { dir, path, file, open, messages } = await startCountsFile(t);
  await file.save(new Map([[1, 5]]));
  await writeFile(`${path}.prev`, newer);
  assert.deepEqual(await countsInFile(dir), new Map([[1, 5]]));
  const next = open();
  assert.deepEqual(await next.load(), new Map([[1, 5]]));
  assert.match(
    messages.join(),
    /^error: .*\.json\.prev has a newer format and is not needed: kept as .*\.prev\./,
  );
  await next.save(new Map([[1, 6]]));
  assert.deepEqual(await open().load(), new Map([[1, 6]]));
  assert.equal(messages.length, 1);
  const aside = (await readdir(dir)).find(name => name.startsWith(`${NAME}.prev.`)) ?? '';
  assert.equal(await readFile(join(dir, aside), 'utf8'), newer);
});

test('next to a file in a newer format, a broken one is not touched either', async t => {
  const { dir, file } = await startCountsFile(t, { [NAME]: '{', [`${NAME}.prev`]: newer });
  await assert.rejects(file.load(), /read-counts\.json\.prev has format 2/);
  assert.deepEqual((await readdir(dir)).sort(), [NAME, `${NAME}.prev`]);
});

test('a newer format without a valid version is refused too', async t => {
  for (const text of ['{"format":3}', '{"format":3,"version":"\\u001b[31m"}', '{"format":3,"version":[]}']) {
    const { path, file } = await startCountsFile(t, { [NAME]: text });
    await assert.rejects(file.load(), {
      message: new RegExp(`^${path} has format 3, written by another version, but`),
    });
  }
});

test('a file that a newer version writes meanwhile is not replaced', async t => {
  const { path, file } = await startCountsFile(t);
  await file.save(new Map([[1, 5]]));
  await writeFile(path, newer);
  for (let attempt = 0; attempt < 2; attempt += 1) {
    assert.equal(await file.isUnchanged(), false);
    await assert.rejects(file.load(), /has format 2/);
    await assert.rejects(file.save(new Map([[1, 6]])), /somebody else changed/);
  }
  assert.equal(await readFile(path, 'utf8'), newer);
});

test('a count of 2^53, which earlier versions could write, is loaded as the largest count', async t => {
  const { file } = await startCountsFile(t, { [NAME]: '{"format":1,"counts":{"1":9007199254740992}}' });
  assert.deepEqual(await file.load(), new Map([[1, Number.MAX_SAFE_INTEGER]]));
});

test('the file may start with a byte order mark', async t => {
  const { file, messages } = await startCountsFile(t, { [NAME]: '\uFEFF{"format":1,"counts":{"3":7}}' });
  assert.deepEqual(await file.load(), new Map([[3, 7]]));
  assert.doesNotMatch(messages.join(), /broken/);
});

test('the checksum covers all values, so that earlier versions accept new ones', async t => {
  const { path, file } = await startCountsFile(t);
  await file.save(new Map([[12, 103]]));
  const { format, checksum, generation, ...rest } = JSON.parse(await readFile(path, 'utf8'));
  const text = JSON.stringify({ generation, ...rest });
  assert.equal(format, 1);
  assert.equal(checksum, createHash('sha256').update(text).digest('hex').slice(0, 16));
});

test('an edited file of rows is broken', async t => {
  const { path, messages } = await startCountsFile(t);
  const open = () =>
    openStateFile(path, knownFormat, { ...keepingLog(), error: text => void messages.push(text) }, systemFs);
  const [rows, head] = [new Map([[1, '100 k3x9=2']]), { column: 'k3x9', owner: 'c1' }];
  await open().save(rows, head);
  assert.deepEqual(await open().load(), { ...head, rows });
  await writeFile(path, (await readFile(path, 'utf8')).replace('k3x9=2', 'k3x9=3'));
  assert.equal(await open().load(), undefined);
  assert.match(messages.join(), /its checksum does not match/);
});
