import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { gzipped } from '../../src/history/entries.ts';
import { hasRoom, onDisk } from '../../src/history/keep.ts';
import { countsFormat, openFileCounter } from '../../src/reads/file/file-counter.ts';
import { openStateFile } from '../../src/reads/file/state-file.ts';
import { HISTORY, keepAndPrune, readAll, setOf, UNBOUNDED } from '../support/history.ts';
import { DIRECTORY, type Files, type SimulatedDisk, simulateDisk } from '../support/simulated-disk.ts';
import { keepingLog, NEVER } from '../support/stores.ts';

const DAY = 86_400;
const sets = [1, 2, 3, 4].map(digit =>
  setOf({ 'products.json': `products ${digit}`, 'news.csv': 'news' }, digit),
);
const newestFirst = sets.map(({ texts }) => texts).reverse();

/** Without a loss of power. */
function filesNow(disk: SimulatedDisk): Files {
  return disk.found().at(-1) ?? assert.fail('no files');
}

/** The files of a disk on which all sets were kept, with one of them changed. */
async function keptFiles(change: (files: Files) => void = () => {}): Promise<Files> {
  const disk = simulateDisk();
  for (const set of sets) await keepAndPrune(disk, set);
  const files = filesNow(disk);
  change(files);
  return files;
}

function pathOf(files: Files, end: string): string {
  const path = Object.keys(files).find(name => name.endsWith(end));
  assert.ok(path, end);
  return path;
}

const { entry } = sets[3] ?? assert.fail();
const newest = { entry: `${entry.version}.json`, content: `${entry.files[0]?.sha256}.gz` };

test('the history has the files of each set, and an unchanged file once', async () => {
  assert.deepEqual(await readAll(simulateDisk()), { sets: [], damage: [] });
  const files = await keptFiles();
  assert.deepEqual(await readAll(simulateDisk(files)), { sets: newestFirst, damage: [] });
  const names = Object.keys(files);
  assert.equal(names.filter(name => name.endsWith('.json')).length, 4);
  assert.equal(names.filter(name => name.endsWith('.gz')).length, 5);
});

const flipped = (text: string) =>
  text.slice(0, -9) + String.fromCharCode(text.charCodeAt(text.length - 9) ^ 1) + text.slice(-8);
const bomb = gzipSync(Buffer.alloc(2 ** 24)).toString('latin1');
const other = gzipped(Buffer.from('products 5')).toString('latin1');
for (const [what, file, damaged, reason] of [
  ['an entry is cut off', newest.entry, (text: string) => text.slice(0, -9), /JSON/],
  [
    'an entry was edited',
    newest.entry,
    (text: string) => text.replace('products.json', 'products.csv'),
    /its checksum does not match/,
  ],
  ['an entry is something else', newest.entry, () => '[]', /it is not an object/],
  ['a content is cut off', newest.content, (text: string) => text.slice(0, -9), /unexpected end of file/],
  ['a bit of a content is wrong', newest.content, flipped, /incorrect|invalid/],
  ['a content is that of another file', newest.content, () => other, /does not match its name/],
  ['a content would take 16 MB', newest.content, () => bomb, /larger than 10 bytes/],
] as const) {
  test(`${what}: it is set aside and told, and the set before it is read`, async () => {
    const disk = simulateDisk(
      await keptFiles(files => {
        const path = pathOf(files, file);
        files[path] = damaged(files[path] ?? '');
      }),
    );
    const read = await readAll(disk);
    assert.deepEqual(read.sets, newestFirst.slice(1));
    assert.equal(read.damage.length, 1);
    const [, found = ''] = /is damaged \((.+)\): kept as .+\.damaged$/.exec(read.damage[0] ?? '') ?? [];
    assert.match(found, reason);
    const left = filesNow(disk);
    assert.ok(pathOf(left, `${file}.damaged`));
    // Kept again, it is whole again.
    await keepAndPrune(disk, sets[3] ?? assert.fail());
    assert.deepEqual((await readAll(disk)).sets[0], newestFirst[0]);
    assert.ok(pathOf(filesNow(disk), `${file}.damaged`), 'there is room for it');
  });
}

test('a missing content is told, and the set before it is read', async () => {
  const disk = simulateDisk(await keptFiles(files => delete files[pathOf(files, newest.content)]));
  const { sets, damage } = await readAll(disk);
  assert.deepEqual(sets, newestFirst.slice(1));
  assert.match(damage[0] ?? '', /a former products\.json, is missing$/);
});

test('an entry of a newer version of Vitrine is an error, and stays as it is', async () => {
  const files = await keptFiles(files => {
    const path = pathOf(files, newest.entry);
    files[path] = (files[path] ?? '').replace('"format": 1', '"format": 2');
  });
  const disk = simulateDisk(files);
  await assert.rejects(readAll(disk), /has format 2, written by Vitrine .+: use a newer Vitrine/);
  assert.deepEqual(disk.found(), [files]);
});

/** A text that hardly compresses, of this many bytes. */
const noise = (bytes: number) => randomBytes(bytes / 2).toString('hex');

function bytesOf(files: Files): number {
  return Object.values(files).reduce((sum, text) => sum + onDisk(text.length), 0);
}

test('the history stays below its size, and has the newest sets', async () => {
  const disk = simulateDisk();
  const bounds = { ...UNBOUNDED, historyMb: 1 };
  const texts = Array.from({ length: 30 }, () => noise(100_000));
  for (const [index, text] of texts.entries()) {
    await keepAndPrune(disk, setOf({ 'products.json': text, 'news.csv': 'news' }, index), bounds);
    assert.ok(bytesOf(filesNow(disk)) <= 2 ** 20);
  }
  const { sets, damage } = await readAll(disk);
  assert.deepEqual(damage, []);
  assert.ok(sets.length > 15 && sets.length < 30, `${sets.length} sets`);
  assert.ok(sets.every(([text], index) => text === texts.at(-1 - index)));
  // Even if it alone is too large.
  const large = noise(2 ** 22);
  await keepAndPrune(disk, setOf({ 'news.csv': large }, 30), bounds);
  assert.deepEqual((await readAll(disk)).sets, [[large]]);
});

const tenDays = { ...UNBOUNDED, historyDays: 10 };
for (const [what, times, left] of [
  ['a set goes when it was replaced more days ago', [0, 1, 2, 12.5], [2, 12.5]],
  ['a set that was served for long stays for as many days', [0, 50, 55], [0, 50, 55]],
  ['the newest set stays, however old', [0, 100], [0, 100]],
  ['a clock that was set back removes nothing too early', [50, 0, 51], [50, 0, 51]],
] as const) {
  test(`${what} (10 days)`, async () => {
    const disk = simulateDisk();
    for (const day of times)
      await keepAndPrune(disk, setOf({ 'products.json': `${day}` }, day * DAY), tenDays);
    const { sets } = await readAll(disk);
    assert.deepEqual(sets.flat().reverse().map(Number), left);
  });
}

test('pruning removes what interrupted writes and damage left, and nothing that it did not write', async () => {
  const stray = `${HISTORY}/files/${'0'.repeat(64)}.gz`;
  const others = { [`${HISTORY}/pin`]: '', [`${HISTORY}/notes.json`]: 'mine' };
  const disk = simulateDisk({
    ...others,
    [`${stray}.tmp`]: noise(2 ** 20),
    [`${stray}.damaged`]: 'x',
    [stray]: 'x',
    [`${HISTORY}/000001-0123.json.tmp`]: 'x',
  });
  const large = setOf({ 'products.json': noise(100_000), 'news.csv': 'news' });
  await keepAndPrune(disk, large, { ...UNBOUNDED, historyMb: 1 });
  const files = filesNow(disk);
  assert.equal(Object.keys(files).length, 2 + 1 + 2);
  for (const path of Object.keys(others)) assert.ok(path in files, path);
});

const MB = 2 ** 20;

test('32 MB of a disk, or a tenth if that is less, are for read counts; one that does not say how full it is has room', async () => {
  for (const [size, free, bytes, expected] of [
    [1000, 32, 0, true],
    [1000, 32, 1, false],
    [1000, 100, 68, true],
    [1000, 100, 69, false],
    [100, 10, 0, true],
    [100, 9, 0, false],
    [0, 0, 0, true],
  ] as const)
    for (const bsize of [1, 4096]) {
      const stats = { bsize, blocks: (size * MB) / bsize, bavail: (free * MB) / bsize };
      const found = await hasRoom({ statfs: async () => stats }, DIRECTORY, bytes * MB);
      assert.equal(found, expected, `${free} of ${size} MB free, ${bytes} MB`);
    }
  const statfs = () => Promise.reject(new Error('function not implemented'));
  assert.equal(await hasRoom({ statfs }, DIRECTORY, MB), true);
});

test('on a nearly full disk, the history writes nothing, and counts are saved; once there is space, both are', async () => {
  let bavail = 24_000;
  const statfs = async () => ({ bsize: 1, blocks: 200_000, bavail });
  const disk = { ...simulateDisk(), statfs };
  const log = keepingLog();
  const set = setOf({ 'products.json': 'x' });
  const list = async () => (await disk.readdir(DIRECTORY)).sort();

  await assert.rejects(keepAndPrune(disk, set), {
    message:
      'the disk is nearly full, and its last 32 MB (or tenth) are for read counts: free some space, or lower HISTORY_MB',
  });
  assert.deepEqual(await list(), []);

  const counter = await openFileCounter(
    openStateFile(`${DIRECTORY}/read-counts.json`, countsFormat, log, disk),
    NEVER,
    log,
  );
  for (let id = 1; id <= 300; id += 1) await counter.raise(id, 0);
  await counter.flush();
  assert.deepEqual([counter.health().reasons, log.messages], [[], []]);

  bavail = 200_000;
  await keepAndPrune(disk, set);
  assert.deepEqual(await readAll(disk), { sets: [set.texts], damage: [] });
});
