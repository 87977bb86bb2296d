import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemFs } from '../../src/files/atomic-write.ts';
import { packageVersion } from '../../src/package-version.ts';
import { countsPath, openCountsFile } from '../../src/reads/file/file-counter.ts';
import { openStateFile } from '../../src/reads/file/state-file.ts';
import { countsInFile } from '../../src/reads/import-export.ts';
import { openReads } from '../../src/reads/open.ts';
import { knownFormat } from '../../src/reads/redis/rows.ts';
import { type Files, writeFiles } from '../support/catalogs.ts';
import { keepingLog, NEVER } from '../support/stores.ts';

const NAME = 'read-counts.json';

/** A counts file in a state directory with these files; `open` opens it as the next process does. */
async function startCountsFile(t: TestContext, files: Files = {}) {
  const dir = await writeFiles(t, files);
  const log = keepingLog();
  const open = () => openCountsFile(dir, log);
  return { dir, path: countsPath(dir), messages: log.messages, open, file: open() };
}

const countsOf = (counts: Record<number, number>) =>
  new Map(Object.entries(counts).map(([id, count]) => [Number(id), count]));

test('a save can be loaded, is readable, and keeps the file before it', async t => {
  const { dir, path, file, open, messages } = await startCountsFile(t);
  const counts = countsOf({ 12: 103, [Number.MAX_SAFE_INTEGER]: 1 });
  await file.save(countsOf({ 12: 102 }));
  await file.save(counts);
  assert.deepEqual(await open().load(), counts);
  const { format, checksum, ...values } = JSON.parse(await readFile(path, 'utf8'));
  assert.equal(format, 1);
  assert.deepEqual(values, { generation: 2, version: packageVersion(), counts: Object.fromEntries(counts) });
  // Of all values, so that earlier versions accept new ones.
  const hash = createHash('sha256').update(JSON.stringify(values)).digest('hex');
  assert.equal(checksum, hash.slice(0, 16));
  assert.match(await readFile(path, 'utf8'), /\n {2}"counts": \{\n {4}"12": 103,\n/);
  assert.deepEqual((await readdir(dir)).sort(), [NAME, `${NAME}.prev`]);
  assert.deepEqual(messages, []);
});

const newer = '{"format":2,"version":"7.1.0","counts":{"1":{"reads":5}}}';
const broken = [
  ...['', '{', 'null', '[]', '\0\0\0\0'],
  ...['{"format":1}', '{"format":1,"counts":5}', '{"format":1,"counts":[]}'],
  ...['0', '"2"', '1e999', '10123456789', '1.5'].map(format => `{"format":${format},"counts":{}}`),
  ...['"a":1', '"0":1', '"1":9,"01":3', '"1e2":1', '" 5":1', '"5.0":1', '"1":-1', '"1":"5"', '"1":1.5'].map(
    counts => `{"format":1,"counts":{${counts}}}`,
  ),
  '{"format":1,"counts":{"1":9007199254740994}}',
];

test('a broken file is renamed with an error in the log, and the file before it is loaded', async t => {
  for (const text of broken) {
    const { dir, path, file, open, messages } = await startCountsFile(t);
    await file.save(countsOf({ 1: 5 }));
    await file.save(countsOf({ 1: 6 }));
    await writeFile(path, text);
    const next = open();
    assert.deepEqual(await next.load(), countsOf({ 1: 5 }), text);
    const aside = (await readdir(dir)).find(name => /^read-counts\.json\.broken-\d{4}-/.test(name)) ?? '';
    assert.equal(await readFile(join(dir, aside), 'utf8'), text);
    assert.equal(messages.length, 1);
    assert.match(messages[0] ?? '', /^error: .*read-counts\.json is broken \(.+\): kept as .*\.broken-/);
    await next.save(countsOf({ 1: 7 }));
    assert.equal(await readFile(join(dir, aside), 'utf8'), text);
    assert.deepEqual(await open().load(), countsOf({ 1: 7 }));
  }
});

test('if both files are broken, both are renamed and counting starts anew; beside a newer one, none is touched', async t => {
  const { dir, file, messages } = await startCountsFile(t, { [NAME]: '{', [`${NAME}.prev`]: '[' });
  assert.equal(await file.load(), undefined);
  assert.equal((await readdir(dir)).filter(name => name.includes('.broken-')).length, 2);
  assert.equal(messages.length, 2);
  const beside = await startCountsFile(t, { [NAME]: '{', [`${NAME}.prev`]: newer });
  await assert.rejects(beside.file.load(), /read-counts\.json\.prev has format 2/);
  assert.deepEqual((await readdir(beside.dir)).sort(), [NAME, `${NAME}.prev`]);
});

for (const [what, put] of [
  ['a directory', mkdir],
  ['a pipe', async (path: string) => execFileSync('mkfifo', [path])],
] as const)
  test(`${what} in place of the file is renamed, and blocks no start`, { timeout: 30_000 }, async t => {
    const { path, file, open, messages } = await startCountsFile(t);
    await put(path);
    assert.equal(await file.load(), undefined);
    assert.match(messages.join(), /^error: [^,]* is broken/);
    assert.equal(messages.length, 1);
    await file.save(countsOf({ 1: 1 }));
    assert.deepEqual(await open().load(), countsOf({ 1: 1 }));
  });

test('a file edited while no process ran is merged with the file before it, with a warning', async t => {
  const { path, file, open, messages } = await startCountsFile(t);
  for (const count of [5, 6]) await file.save(countsOf({ 1: count, 2: count }));
  const text = await readFile(path, 'utf8');
  await writeFile(path, text.replace('"1": 6', '"1": 90').replace('"2": 6', '"2": 1'));
  assert.deepEqual(await open().load(), countsOf({ 1: 90, 2: 5 }));
  assert.match(messages.join(), /^warn: .*read-counts\.json was edited/);
});

test('counts of a damaged file before an intact one are ignored', async t => {
  const { path, file, open, messages } = await startCountsFile(t);
  for (const count of [5, 6]) await file.save(countsOf({ 1: count }));
  const previous = `${path}.prev`;
  await writeFile(previous, (await readFile(previous, 'utf8')).replace('"1": 5', '"1": 95'));
  assert.deepEqual(await open().load(), countsOf({ 1: 6 }));
  assert.deepEqual(messages, []);
});

test('a handwritten or reformatted file is valid', async t => {
  for (const [text, counts] of [
    ['{"format":1,"counts":{"3":7}}', { 3: 7 }],
    ['\uFEFF{"format":1,"counts":{"3":7}}', { 3: 7 }],
    // Earlier versions could write 2^53.
    ['{"format":1,"counts":{"1":9007199254740992}}', { 1: Number.MAX_SAFE_INTEGER }],
  ] as const) {
    const { file, messages } = await startCountsFile(t, { [NAME]: text });
    assert.deepEqual(await file.load(), countsOf(counts));
    assert.doesNotMatch(messages.join(), /broken/);
  }
  const { path, file, open, messages } = await startCountsFile(t);
  await file.save(countsOf({ 3: 8 }));
  await writeFile(path, JSON.stringify(JSON.parse(await readFile(path, 'utf8'))));
  assert.deepEqual(await open().load(), countsOf({ 3: 8 }));
  assert.deepEqual(messages, []);
});

test('a file that somebody else changed is not replaced before it was loaded', async t => {
  for (const [text, reason] of [['edited'], [undefined], [newer, /has format 2/]] as const) {
    const { path, file } = await startCountsFile(t);
    await file.save(countsOf({ 1: 5 }));
    assert.equal(await file.isUnchanged(), true);
    await (text === undefined ? rm(path) : writeFile(path, text));
    assert.equal(await file.isUnchanged(), false);
    const refused = { message: `somebody else changed ${basename(path)}` };
    await assert.rejects(file.save(countsOf({ 1: 6 })), refused);
    if (reason) {
      await assert.rejects(file.load(), reason);
      await assert.rejects(file.save(countsOf({ 1: 6 })), refused);
      assert.equal(await readFile(path, 'utf8'), text);
    } else {
      await file.load();
      assert.equal(await file.isUnchanged(), true);
      await file.save(countsOf({ 1: 6 }));
    }
  }
});

test('the file before it may have a newer format: the counts are loaded without it, and no save replaces it', async t => {
  const { dir, path, file, open, messages } = await startCountsFile(t);
  await file.save(countsOf({ 1: 5 }));
  await writeFile(`${path}.prev`, newer);
  assert.deepEqual(await countsInFile(dir), countsOf({ 1: 5 }));
  const next = open();
  assert.deepEqual(await next.load(), countsOf({ 1: 5 }));
  assert.match(
    messages.join(),
    /^error: .*\.json\.prev has a newer format and is not needed: kept as .*\.prev\./,
  );
  await next.save(countsOf({ 1: 6 }));
  assert.deepEqual(await open().load(), countsOf({ 1: 6 }));
  assert.equal(messages.length, 1);
  const aside = (await readdir(dir)).find(name => name.startsWith(`${NAME}.prev.`)) ?? '';
  assert.equal(await readFile(join(dir, aside), 'utf8'), newer);
});

test('a start fails with the reason if a file has a newer format or cannot be read, and touches nothing', async t => {
  for (const [name, redisUrl, text, writer] of [
    ['read-counts.json', [], newer, 'Vitrine 7.1.0'],
    ['read-counts.json', [], '{"format":2}', 'another version'],
    ['read-counts.json', [], '{"format":2,"version":"\\u001b[31m"}', 'another version'],
    ['redis-counts.json.prev', ['redis://127.0.0.1:1'], newer, 'Vitrine 7.1.0'],
  ] as const) {
    const stateDir = await writeFiles(t, { [name]: text });
    const path = join(stateDir, name);
    const place = { stateDir, redisUrl: [...redisUrl], redisPrefix: 'vitrine', flushIntervalMs: NEVER };
    const start = () => openReads(place, keepingLog());
    const reads = `but Vitrine ${packageVersion()} reads format 1: use a newer Vitrine`;
    await assert.rejects(start, { message: `${path} has format 2, written by ${writer}, ${reads}` });
    assert.equal(await readFile(path, 'utf8'), text);
    assert.deepEqual((await readdir(stateDir)).sort(), ['lock', name]);
    await rm(path);
    await symlink(name, path);
    await assert.rejects(start, /ELOOP/);
    assert.deepEqual((await readdir(stateDir)).sort(), ['lock', name]);
  }
});

test('a load that fails after it renamed a broken file is to be repeated', async t => {
  const { dir, path, file } = await startCountsFile(t);
  await file.save(countsOf({ 1: 5 }));
  await rename(path, `${path}.prev`);
  await writeFile(path, '{');
  let looks = 0;
  const stat: typeof systemFs.stat = async (...args) => {
    looks += 1;
    return looks === 2 ? Promise.reject(new Error('EIO')) : systemFs.stat(...args);
  };
  const next = openStateFile(path, knownFormat, keepingLog(), { ...systemFs, stat });
  await assert.rejects(next.load(), /EIO/);
  assert.equal((await readdir(dir)).includes(NAME), false);
  assert.equal(await next.isUnchanged(), false);
});

test('an edited file of rows is broken', async t => {
  const path = join(await writeFiles(t, {}), NAME);
  const { messages, ...log } = keepingLog();
  const open = () => openStateFile(path, knownFormat, log, systemFs);
  const [rows, head] = [new Map([[1, '100 k3x9=2']]), { column: 'k3x9', owner: 'c1' }];
  await open().save(rows, head);
  assert.deepEqual(await open().load(), { ...head, rows });
  await writeFile(path, (await readFile(path, 'utf8')).replace('k3x9=2', 'k3x9=3'));
  assert.equal(await open().load(), undefined);
  assert.match(messages.join(), /its checksum does not match/);
});
