import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Random, shuffled } from '../../../scripts/bench/catalog/random.ts';
import { systemFs } from '../../../src/files/atomic-write.ts';
import { openStateFile } from '../../../src/reads/file/state-file.ts';
import { openReads } from '../../../src/reads/open.ts';
import { knownFormat } from '../../../src/reads/redis/rows.ts';
import { keepingLog, NEVER } from '../reads/stores.ts';
import { type Case, namedCases, type Target, writeCase } from './fuzz.ts';
import { mutate, pick, words } from './mutate.ts';

const COUNTS = 'read-counts.json';
const ROWS = 'redis-counts.json';

const tokens = words(String.raw`
  \" , : { } [ ] \n \u0020 \u0000 \u00ff \u00ef\u00bb\u00bf null true [] {} - \"1\":5, \"01\":3, \"__proto__\":1,
  \"generation\":1,\n \"format\":2, \"format\":\"1\", \"generation\":1e999, \"generation\":9007199254740991, \"checksum\":\"\",
  \"counts\":{ \"7\":\"1/2\", c0a1b2c3d4e=9 /9 =1e9 -
`);

const seeds = namedCases('states').map(([, item]) => item);
const rowsFiles = seeds.flatMap(item =>
  Object.entries(item)
    .filter(([file]) => isRows(file))
    .map(([, text]) => text),
);
const material = { others: seeds.flatMap(item => Object.values(item)), tokens, maxLength: 2 ** 16 };

/** The values of seeds that have a checksum, which are as they were saved. */
const intact = new Set(material.others.filter(text => 'checksum' in parsed(text)).map(valuesOf));

/** Whether a text has the values of one that was saved, in whatever layout. */
function isIntact(text: string): boolean {
  return intact.has(valuesOf(text));
}

function valuesOf(text: string): string {
  return JSON.stringify(parsed(text));
}

function generationOf(text: string): number {
  const { generation } = parsed(text);
  return Number.isSafeInteger(generation) ? Number(generation) : 0;
}

function isRows(file: string): boolean {
  return file.startsWith(ROWS);
}

/** State directories, each a folder of its own below `scratch`. */
export function openStates(scratch: string): Target {
  let opened = 0;
  return {
    name: 'states',
    draw,
    async run(item) {
      opened += 1;
      const stateDir = join(scratch, String(opened));
      writeCase(stateDir, item);
      try {
        return [await (Object.keys(item).some(isRows) ? runRows : runCounts)(stateDir, item)];
      } finally {
        await rm(stateDir, { recursive: true });
      }
    },
  };
}

/** One of the two files mutated, cut off, or in the place of the other. */
function draw(random: Random): Case {
  const item = pick(seeds, random);
  const [file = '', other] = shuffled(Object.keys(item), random);
  const drawn = { ...item, [file]: mutate(item[file] ?? '', random, material) };
  if (!other || random() < 0.7) return drawn;
  return { [file]: item[other] ?? '', [other]: drawn[file] ?? '' };
}

/** Opens, counts, closes and opens again; or is refused, and leaves every file as it is. */
async function runCounts(stateDir: string, item: Case): Promise<string> {
  const open = () =>
    openReads({ stateDir, redisUrl: [], redisPrefix: 'vitrine', flushIntervalMs: NEVER }, keepingLog());
  const opened = await open().catch((error: Error) => error);
  if (opened instanceof Error) return checkRefusal(stateDir, item, opened);
  const written = Object.values(item).flatMap(countsIn);
  const ids = [...new Set([1, ...written.map(([id]) => id)])];
  const loaded = new Map(ids.map(id => [id, opened.shown(id, 0)]));
  for (const id of ids) await opened.raise(id, 0);
  const shown = ids.map(id => opened.shown(id, 0));
  await opened.close();
  // An intact file replaces the one before it, which may have had larger counts.
  const [text = '', previous = ''] = [item[COUNTS], item[`${COUNTS}.prev`]];
  const isReplaced = isIntact(text) && (generationOf(text) >= generationOf(previous) || !isIntact(previous));
  const kept = keptTexts(stateDir, item);
  const counts = (isReplaced ? [text] : kept).flatMap(countsIn);
  const lost = counts.find(([id, count]) => (loaded.get(id) ?? 0) < count);
  assert.equal(lost, undefined, 'a count is lost');
  const again = await open();
  const saved = ids.map(id => again.shown(id, 0));
  await again.close();
  assert.deepEqual(saved, shown, 'what was saved is not what is loaded');
  return readdirSync(stateDir).some(name => name.includes('.broken-')) ? 'set aside' : 'kept';
}

/** Loads what waits for Redis, saves it and loads it again. */
async function runRows(stateDir: string, item: Case): Promise<string> {
  const open = () => openStateFile(join(stateDir, ROWS), knownFormat, keepingLog(), systemFs);
  const file = open();
  const left = await file.load().catch((error: Error) => error);
  if (left instanceof Error) return checkRefusal(stateDir, item, left);
  keptTexts(stateDir, item);
  if (!left) return 'nothing left';
  const { rows, ...head } = left;
  await file.save(rows, head);
  assert.deepEqual(await open().load(), left, 'what was saved is not what is loaded');
  return 'left';
}

/** Asserts that a refusal says why, and that every file is as it was. */
function checkRefusal(stateDir: string, item: Case, { message }: Error): string {
  assert.match(message, /^[^\n]{20,500}$/, 'a refusal is no sentence');
  for (const [file, text] of Object.entries(item))
    assert.equal(readState(stateDir, file), text, 'a file is lost');
  return 'refused';
}

/** The texts of the files that were not set aside. @throws where a file is lost, or a sound one was set aside. */
function keptTexts(stateDir: string, item: Case): string[] {
  const names = readdirSync(stateDir);
  return Object.entries(item).flatMap(([file, text]) => {
    const aside = names.find(name => name.startsWith(`${file}.broken-`));
    if (!aside) return [text];
    assert.equal(readState(stateDir, aside), text, 'a file that was set aside is not what it was');
    assert.ok(!isNewer(text), 'a file of a newer format was set aside');
    assert.ok(!(isRows(file) ? rowsFiles.includes(text) : isCounts(text)), 'a sound file was set aside');
    return [];
  });
}

function readState(stateDir: string, file: string): string {
  return readFileSync(join(stateDir, file), 'latin1');
}

/** Whether a text is a whole file of counts, by whomever it was written. */
function isCounts(text: string): boolean {
  const { format, counts } = parsed(text);
  const isObject = typeof counts === 'object' && counts !== null && !Array.isArray(counts);
  return format === 1 && isObject && countsIn(text).length === Object.keys(counts).length;
}

/** Whether a text says that a later version has written it. */
function isNewer(text: string): boolean {
  const { format } = parsed(text);
  return Number.isInteger(format) && Number(format) > 1 && Number(format) <= 999;
}

/** The counts in a text by news id, as far as they are any. */
function countsIn(text: string): [id: number, count: number][] {
  return Object.entries(Object(parsed(text).counts)).flatMap(([id, count]) => {
    const isCount = typeof count === 'number' && Number.isSafeInteger(count) && count >= 0;
    return isCount && /^[1-9]\d*$/.test(id) && Number.isSafeInteger(Number(id)) ? [[Number(id), count]] : [];
  });
}

/** What a text says, or an empty object where that is no JSON. */
function parsed(text: string): Record<string, unknown> {
  try {
    return Object(JSON.parse(Buffer.from(text, 'latin1').toString()));
  } catch {
    return {};
  }
}
