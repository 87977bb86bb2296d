import assert from 'node:assert/strict';
import { appendFile, copyFile, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { formatRecord, parseJournal } from '../../src/reads/file/read-state.ts';
import { startCountsFile } from '../support/reads/counts-file.ts';

const JOURNAL = 'read-counts.json.journal';

/** A file `{1: 5}` and a journal of two records after it. */
async function start(t: TestContext) {
  const store = await startCountsFile(t);
  await store.file.save(new Map([[1, 5]]));
  await store.file.append({ 1: 6, 2: 1 });
  await store.file.append({ 2: 2 });
  return { ...store, journal: join(store.dir, JOURNAL) };
}

const COUNTS = new Map([
  [1, 6],
  [2, 2],
]);

test('a journal has a line for each change, with a checksum and the generation that it continues', async t => {
  const { open, journal, messages } = await start(t);
  assert.equal(await readFile(journal, 'utf8'), 'ce9bc132 1 {"1":6,"2":1}\nb9dc3760 1 {"2":2}\n');
  assert.deepEqual(await open().load(), COUNTS);
  assert.deepEqual(messages, []);
});

test('a change may lower a count, which stays so in the files that follow', async t => {
  const { file, open } = await start(t);
  await file.append({ 1: 3 });
  for (let save = 0; save < 3; save += 1) {
    const next = open();
    const counts = await next.load();
    assert.equal(counts?.get(1), 3);
    await next.save(counts ?? new Map());
  }
});

test('a torn last line is ignored', async t => {
  for (const torn of ['9', 'b9dc3760 1 {"2":', '\0\0\0\0']) {
    const { open, journal, messages } = await start(t);
    await appendFile(journal, torn);
    assert.deepEqual(await open().load(), COUNTS);
    assert.deepEqual(messages, []);
  }
});

test('a damaged line is an error, and the other lines are applied', async t => {
  for (const [from, to] of [
    ['"1":6', '"1":7'],
    ['ce9bc132', '\0\0\0\0\0\0\0\0'],
    ['ce9bc132 1 {"1":6,"2":1}', ''],
  ] as const) {
    const { dir, file, open, journal, messages } = await start(t);
    const text = (await readFile(journal, 'utf8')).replace(from, to);
    await writeFile(journal, text);
    const next = open();
    const counts = new Map([
      [1, 5],
      [2, 2],
    ]);
    assert.deepEqual(await next.load(), counts);
    assert.equal(messages.length, 1);
    assert.match(
      messages[0] ?? '',
      /^error: .*\.journal is broken \(damaged lines: 1\): kept as .*\.broken-/,
    );
    await next.save(counts);
    const aside = (await readdir(dir)).find(name => name.startsWith(`${JOURNAL}.broken-`)) ?? '';
    assert.equal(await readFile(join(dir, aside), 'utf8'), text);
    assert.deepEqual(await open().load(), counts);
    assert.equal(messages.length, 1);
    assert.equal(await file.isUnchanged(), false);
  }
});

test('a flipped bit loses no record but the one that it is in, and is always noticed', () => {
  const lines = [1, 2, 3].map(count => formatRecord({ generation: 1, values: { 12: count } }));
  const bytes = Buffer.from(lines.join(''));
  const length = bytes.length / lines.length;
  for (const at of bytes.keys())
    for (let bit = 0; bit < 8; bit += 1) {
      const flipped = Buffer.from(bytes);
      flipped[at] = Number(bytes[at]) ^ (2 ** bit);
      const { records, damaged } = parseJournal(flipped.toString());
      const isNewline = at % length === length - 1;
      const kept = [1, 2, 3].filter(count => isNewline || count !== 1 + Math.floor(at / length));
      const counts = records.map(({ values }) => values[12]);
      assert.deepEqual({ counts, isNoticed: damaged > 0 }, { counts: kept, isNoticed: true }, `${at}:${bit}`);
    }
});

test('a last record that lacks only the end of its line is applied', () => {
  const line = formatRecord({ generation: 1, values: { 12: 1 } });
  const { records, damaged } = parseJournal(line.trimEnd());
  assert.deepEqual([records.length, damaged], [1, 0]);
});

test('a line with values that are no counts is damaged, whatever its checksum', async t => {
  const { open, journal, messages } = await start(t);
  await appendFile(journal, formatRecord({ generation: 1, values: { 1: -1 } }));
  assert.deepEqual(await open().load(), COUNTS);
  assert.match(messages.join(), /damaged lines: 1/);
});

test('a journal of an earlier generation is ignored', async t => {
  const { path, dir, file, open, journal, messages } = await start(t);
  await copyFile(journal, join(dir, 'old'));
  await file.save(new Map([[1, 9]]));
  await copyFile(join(dir, 'old'), journal);
  assert.deepEqual(await open().load(), new Map([[1, 9]]));
  assert.deepEqual(messages, []);
  await rm(path);
  assert.deepEqual(await open().load(), COUNTS);
});

test('a damaged file loses nothing: its predecessor and both journals have everything', async t => {
  const { path, open, messages } = await start(t);
  const next = open();
  await next.load();
  await next.save(COUNTS);
  await next.append({ 3: 1 });
  await writeFile(path, '{');
  assert.deepEqual(await open().load(), new Map([...COUNTS, [3, 1]]));
  assert.match(messages.join(), /^error: .*read-counts\.json is broken/);
});

test('without any file, the journal is applied alone', async t => {
  const { path, open } = await start(t);
  await rm(path);
  assert.deepEqual(await open().load(), COUNTS);
});

test('counts of an edited file are merged with the journal by the larger one', async t => {
  const { path, open } = await start(t);
  await writeFile(path, '{"format": 1, "counts": {"1": 50, "2": 1}}');
  assert.deepEqual(
    await open().load(),
    new Map([
      [1, 50],
      [2, 2],
    ]),
  );
});

test('after a failed append, the file needs a fold, which saves all that is on the disk', async t => {
  const { file, open, journal } = await start(t);
  await rm(journal);
  await mkdir(journal);
  await assert.rejects(file.append({ 1: 7 }), { code: 'EISDIR' });
  assert.equal(file.needs(), 'fold');
  await rm(journal, { recursive: true });
  await writeFile(journal, formatRecord({ generation: 1, values: { 1: 7 } }));
  await file.fold();
  assert.equal(file.needs(), 'nothing');
  await file.append({ 4: 1 });
  const counts = new Map([
    [1, 7],
    [4, 1],
  ]);
  assert.deepEqual(await open().load(), counts);
});

test('a journal that somebody deletes or changes makes the file changed, also after a failed append', async t => {
  for (const change of [rm, (journal: string) => appendFile(journal, '\n')]) {
    const { file, journal } = await start(t);
    assert.equal(await file.isUnchanged(), true);
    await change(journal);
    assert.equal(await file.isUnchanged(), false);
  }
  const { file, journal } = await start(t);
  await appendFile(journal, '\n');
  await assert.rejects(file.append({ 1: 7 }), /bytes were written/);
  assert.equal(await file.isUnchanged(), true);
  await rm(journal);
  assert.equal(await file.isUnchanged(), false);
});

test('a fold leaves a file alone that somebody else changed, and reports what goes wrong', async t => {
  const { path, file } = await start(t);
  await mkdir(`${path}.tmp`);
  await assert.rejects(file.fold(), { code: 'EISDIR', errno: -21 });
  await rm(`${path}.tmp`, { recursive: true });
  await writeFile(path, '{"format": 1, "counts": {"1": 50}}');
  await assert.rejects(file.fold(), { message: 'somebody else changed read-counts.json' });
  assert.equal(await readFile(path, 'utf8'), '{"format": 1, "counts": {"1": 50}}');
});

test('two saves leave no journal', async t => {
  const { dir, file } = await start(t);
  for (const isLeft of [true, false]) {
    await file.save(COUNTS);
    assert.equal(file.hasJournal(), isLeft);
    assert.equal(
      (await readdir(dir)).some(name => name.startsWith(JOURNAL)),
      isLeft,
    );
  }
});

test('a journal of any bytes is parsed', () => {
  for (const text of ['', '\n', 'a\n', ' \n\n', '00000000 1 {}\n', '\uFFFD'.repeat(9)]) {
    const { records, damaged } = parseJournal(text);
    assert.deepEqual([records.length, damaged], [0, text.split('\n').length - 1], text);
  }
});
