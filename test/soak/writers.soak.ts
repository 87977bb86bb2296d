import assert from 'node:assert/strict';
import { open, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { between, type Random, seededRandom, shuffled } from '../../scripts/bench/catalog/random.ts';
import { openLiveCatalog } from '../../src/live/live.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import type { Snapshot } from '../../src/snapshot/snapshot.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { newsOf, pricesOf } from '../support/rows.ts';
import { rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';

const ROWS = 40;
const AT_ONCE = 12;
/** Twelve show each way, edit and file, and 72 all that come together. */
const WRITERS = rounds(12, 144);
/** How often each writer pauses, and for how long, in milliseconds. */
const PAUSES = 3;
const [SHORTEST, LONGEST] = [500, 5_000];

const ids = Array.from({ length: ROWS }, (_, index) => index + 1);

/** The line of a row, as it is at first and as it is in the end. */
type Line = (id: number, isNew: boolean, random: Random) => string;
const newsLine: Line = (id, isNew, random) =>
  `${id},2024-01-01,${isNew ? 'New' : 'Old'},${'text '.repeat(between(random, 1, 9))}`;
const priceLine: Line = (id, isNew, random) =>
  `${id},1,${id},1,${isNew ? 2 : 1}${random()
    .toFixed(between(random, 1, 4))
    .slice(1)}`;
const files = [
  { name: 'news.csv', head: 'id,create_time,title,content', line: newsLine },
  { name: 'prices.csv', head: 'id,product_id,rel_id,duration_id,price', line: priceLine },
];

/** What an editor does to the rows: some change, some are new or deleted, or all are sorted anew. */
const edits: [what: string, edit: (ids: number[], random: Random) => number[]][] = [
  ['changed rows', ids => ids],
  ['new rows first', ids => [...ids.map(id => id + ROWS).slice(-5), ...ids]],
  ['new rows last', ids => [...ids, ...ids.map(id => id + ROWS).slice(0, 5)]],
  ['deleted rows', (ids, random) => ids.filter(() => random() < 0.9)],
  ['rows in another order', (ids, random) => shuffled(ids, random)],
  ['rows from the last to the first', ids => ids.toReversed()],
];

/** The ways to write a file. Each calls `pause` where a writer can stall. */
const ways: [
  what: string,
  write: (path: string, text: string, pause: () => Promise<void>) => Promise<void>,
][] = [
  ['line by line', (path, text, pause) => writeParts(path, 'w', text.split(/(?<=\n)/), pause)],
  ['in blocks', (path, text, pause) => writeParts(path, 'w', blocksOf(text), pause)],
  ['in place, line by line', (path, text, pause) => writeParts(path, 'r+', text.split(/(?<=\n)/), pause)],
  ['in place, in blocks', (path, text, pause) => writeParts(path, 'r+', blocksOf(text), pause)],
  [
    'truncated and written again',
    async (path, text, pause) => {
      for (const part of [text.slice(0, text.length / 2), text]) {
        await writeFile(path, '');
        await pause();
        await writeParts(path, 'w', part.split(/(?<=\n)/), pause);
      }
    },
  ],
  [
    'deleted and written again',
    async (path, text, pause) => {
      await rm(path);
      await pause();
      await writeParts(path, 'w', text.split(/(?<=\n)/), pause);
    },
  ],
];

async function writeParts(path: string, flags: string, parts: readonly string[], pause: () => Promise<void>) {
  const file = await open(path, flags);
  for (const part of parts) {
    await file.write(part);
    await pause();
  }
  await file.truncate(Buffer.byteLength(parts.join('')));
  await file.close();
}

const blocksOf = (text: string) => text.match(/[\s\S]{1,100}/g) ?? [];

const textOf = (
  { head, line }: (typeof files)[number],
  rows: readonly number[],
  isNew: boolean,
  random: Random,
) => `${[head, ...rows.map(id => line(id, isNew, random))].join('\n')}\n`;

/** Serves a directory in which nothing is held back. Calls `onServed` with each set that is served. */
async function serve(t: TestContext, catalogDir: string, onServed: (snapshot: Snapshot) => void) {
  const stateDir = await writeFiles(t, {});
  const settings = settingsFrom({ catalogDir, stateDir, imagesDir: catalogDir, holdBack: 'off' });
  const beforeServed = async (next: Snapshot) => onServed(next);
  const log = { info() {}, warn() {}, error() {} };
  const live = openLiveCatalog(settings, { ...settings, beforeServed }, log);
  afterTest(t, () => live.close());
  await live.loaded;
  return live;
}

/** The rows of a file that are served, by id: whether they are as they are in the end. */
function rowsIn(name: string, snapshot: Snapshot): Map<number, boolean> {
  if (name === 'prices.csv') return new Map(pricesOf(snapshot).map(({ id, price }) => [id, price >= 2]));
  return new Map(newsOf(snapshot).map(({ id, title }) => [id, title === 'New']));
}

async function stall(t: TestContext, seed: number) {
  const random = seededRandom(seed);
  const [way = assert.fail(), edit = assert.fail(), file = assert.fail()] = [
    ways[seed % ways.length],
    edits[(seed + Math.floor(seed / ways.length)) % edits.length],
    files[(seed + Math.floor(seed / ways.length / edits.length)) % files.length],
  ];
  const catalogDir = await writeFiles(t, {
    'products.csv': 'id,name\n1,A\n',
    'configurations.csv': `id,product_id,name,cpu,memory\n${[...ids, ...ids.map(id => id + ROWS)].map(id => `${id},1,C${id},1,1\n`).join('')}`,
    ...Object.fromEntries(files.map(file => [file.name, textOf(file, ids, false, random)])),
  });
  const after = edit[1](ids, random);
  const lasting = ids.filter(id => after.includes(id));
  let served = 0;
  const faults: string[] = [];
  const live = await serve(t, catalogDir, snapshot => {
    served += 1;
    const found = rowsIn(file.name, snapshot);
    const missing = lasting.filter(id => !found.has(id));
    if (missing.length > 0) faults.push(`${missing.length} of ${lasting.length} rows are missing`);
  });
  const text = textOf(file, after, true, random);
  const steps = (way[0].includes('blocks') ? blocksOf(text) : text.split('\n')).length;
  const stalls = new Set(Array.from({ length: PAUSES }, () => between(random, 0, steps)));
  let step = 0;
  const pause = async () => {
    if (stalls.has(step)) await delay(between(random, SHORTEST, LONGEST));
    step += 1;
  };
  await way[1](join(catalogDir, file.name), text, pause);
  await until(t, async () => {
    const snapshot = live.snapshot();
    const found = snapshot ? rowsIn(file.name, snapshot) : new Map();
    return found.size === after.length && after.every(id => found.get(id)) ? true : undefined;
  });
  assert.deepEqual(faults, [], `${file.name} ${way[0]}, ${edit[0]}`);
  t.diagnostic(`${file.name} ${way[0]}, ${edit[0]}: ${served} sets served`);
}

test(`${WRITERS} writers that stall for 0.5 to 5 s: no answer lacks rows that were served and stay`, {
  concurrency: true,
}, async t => {
  for (let first = 0; first < WRITERS; first += AT_ONCE) {
    await Promise.all(
      Array.from({ length: AT_ONCE }, (_, index) =>
        t.test(`writer ${first + index}`, t => stall(t, first + index)),
      ),
    );
  }
});

test('a folder of Markdown files that is written again with stalls never lacks an item', async t => {
  const random = seededRandom(1);
  const itemOf = (id: number) =>
    `---\ncreate_time: 2024-01-01\n---\n# Title ${id}\n\n${'Text. '.repeat(id)}\n`;
  const names = ids.slice(0, rounds(3, 8)).map(id => [id, `news/${id}.md`] as const);
  const catalogDir = await writeFiles(t, Object.fromEntries(names.map(([id, name]) => [name, itemOf(id)])));
  const counts: number[] = [];
  const live = await serve(t, catalogDir, snapshot => counts.push(newsOf(snapshot).length));
  const before = live.snapshot();
  for (const [, name] of names) await rm(join(catalogDir, name));
  for (const [id, name] of names) {
    await delay(between(random, SHORTEST, LONGEST));
    await writeFile(join(catalogDir, name), itemOf(id).replace('Title', 'New'));
  }
  await until(t, async () => (live.snapshot() === before ? undefined : true));
  assert.deepEqual(counts, [names.length, names.length]);
});
