import assert from 'node:assert/strict';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openCountsFile } from '../../src/reads/counts-file.ts';
import { writeFiles } from '../catalogs.ts';

/** A log that keeps its messages. */
function keepingLog() {
  const messages: string[] = [];
  return { messages, error: (message: string) => void messages.push(message) };
}

test('a missing file is a fresh start, in a directory that is made', async t => {
  const dir = join(await writeFiles(t, {}), 'deep', 'state');
  const log = keepingLog();
  assert.deepEqual(await (await openCountsFile(dir, log)).load(), new Map());
  assert.deepEqual(log.messages, []);
});

test('what is saved is loaded again, is readable by a person and leaves nothing else behind', async t => {
  const dir = await writeFiles(t, {});
  const file = await openCountsFile(dir, keepingLog());
  const counts = new Map([
    [12, 103],
    [9007199254740991, 1],
  ]);
  await file.save(new Map([[12, 1]]));
  await file.save(counts);
  assert.deepEqual(await file.load(), counts);
  assert.deepEqual(JSON.parse(await readFile(join(dir, 'read-counts.json'), 'utf8')), {
    format: 1,
    counts: { 12: 103, 9007199254740991: 1 },
  });
  assert.deepEqual(await readdir(dir), ['read-counts.json']);
});

test('a file that cannot be read is set aside as it is, with a loud error, and counting starts anew', async t => {
  const damaged = [
    '',
    '{',
    'null',
    '[]',
    '{"format":2,"counts":{}}',
    '{"format":1}',
    '{"format":1,"counts":{"a":1}}',
    '{"format":1,"counts":{"1":-1}}',
    '{"format":1,"counts":{"1":"5"}}',
    '{"format":1,"counts":{"1":1.5}}',
    '{"format":1,"counts":5}',
  ];
  for (const text of damaged) {
    const dir = await writeFiles(t, { 'read-counts.json': text });
    const log = keepingLog();
    const file = await openCountsFile(dir, log);
    assert.deepEqual(await file.load(), new Map(), text);
    const [aside = '', ...others] = await readdir(dir);
    assert.deepEqual(others, [], text);
    assert.match(aside, /^read-counts\.json\.unreadable-/);
    assert.equal(await readFile(join(dir, aside), 'utf8'), text);
    assert.equal(log.messages.length, 1);
    assert.match(
      log.messages[0] ?? '',
      /cannot be read \(.*Error.*\): they start anew, the file is kept as .*unreadable-/,
    );
    await file.save(new Map([[1, 1]]));
    assert.equal(await readFile(join(dir, aside), 'utf8'), text);
  }
});

test('a directory in the place of the file is set aside too', async t => {
  const dir = await writeFiles(t, {});
  await mkdir(join(dir, 'read-counts.json'));
  const log = keepingLog();
  const file = await openCountsFile(dir, log);
  assert.deepEqual(await file.load(), new Map());
  assert.equal(log.messages.length, 1);
  await file.save(new Map([[1, 1]]));
  assert.deepEqual(await file.load(), new Map([[1, 1]]));
});

test('a state directory that cannot be made is an error', async t => {
  const dir = await writeFiles(t, { state: 'a file' });
  await assert.rejects(
    openCountsFile(join(dir, 'state'), keepingLog()),
    /^Error: the state directory .*state cannot be made: E/,
  );
});

test('a save that fails leaves the last one in place', async t => {
  const dir = await writeFiles(t, {});
  const file = await openCountsFile(dir, keepingLog());
  await file.save(new Map([[1, 5]]));
  await mkdir(join(dir, 'read-counts.json.tmp'));
  await assert.rejects(file.save(new Map([[1, 6]])));
  assert.deepEqual(await file.load(), new Map([[1, 5]]));
});
