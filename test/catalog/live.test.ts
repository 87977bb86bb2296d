import assert from 'node:assert/strict';
import { EventEmitter } from 'node:events';
import { open, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { systemHints } from '../../src/catalog/hints.ts';
import { writeFiles, writeInto } from '../catalogs.ts';
import { edition } from '../editions.ts';
import { startLive } from '../live.ts';

const news = String(edition(1)['news.csv']).replaceAll(',2024-01-01,', ',2024-02-02,');
const eighths = Array.from({ length: 8 }, (_, index) => [
  Math.floor((news.length * index) / 8),
  Math.floor((news.length * (index + 1)) / 8),
]);

for (const [what, slices] of Object.entries({
  'of so many bytes': eighths.map(([from, to]) => news.slice(from, to)),
  'of whole lines': news.split(/(?<=\n)/),
})) {
  test(`a slow copy in slices ${what} is served when it is whole, and not before`, async t => {
    const dir = await writeFiles(t, edition(1));
    const { live, outcome } = await startLive(t, dir, { reloadPollMs: 100, reloadQuietMs: 50 });
    const before = live.snapshot();
    const file = await open(join(dir, 'news.csv'), 'w');
    for (const [index, slice] of slices.entries()) {
      if (index > 0) await delay(400);
      assert.equal(live.snapshot(), before);
      await file.write(slice);
    }
    await file.close();
    const after = await outcome(({ snapshot }) => (snapshot() === before ? undefined : snapshot()));
    assert.equal(after?.news.id.length, before?.news.id.length);
  });
}

test('a file without a line break at its end is taken up all the same', async t => {
  const dir = await writeFiles(t, edition(1));
  const { serves } = await startLive(t, dir);
  for (const [name, content] of Object.entries(edition(2))) {
    await writeFile(join(dir, name), String(content).trimEnd());
  }
  await serves(2);
});

test('of many sets in a row the newest is served in the end', async t => {
  const dir = await writeFiles(t, edition(1));
  const { serves } = await startLive(t, dir, { reloadPollMs: 20, reloadQuietMs: 0 });
  for (let digit = 2; digit <= 9; digit += 1) {
    await writeInto(dir, edition(digit));
    await delay(digit * 20);
  }
  await serves(9);
});

test('a hint is enough, however long the next look is away', async t => {
  const dir = await writeFiles(t, edition(1));
  const { serves } = await startLive(t, dir, { reloadPollMs: 3_600_000 });
  const served = serves(2).then(() => true);
  // The watcher needs a moment before it hears anything, and nobody is told when it is ready.
  do {
    await writeInto(dir, edition(2));
  } while (!(await Promise.race([served, delay(500, false)])));
});

test('files that were touched and hold what is served are not taken up again', async t => {
  const dir = await writeFiles(t, edition(1));
  const { live, outcome } = await startLive(t, dir);
  const before = live.snapshot();
  await writeInto(dir, edition(1));
  await outcome(({ status }) => (status().attempt?.outcome === 'unchanged' ? true : undefined));
  assert.equal(live.snapshot(), before);
});

test('an error of the watcher changes nothing', async t => {
  const dir = await writeFiles(t, edition(1));
  const { serves } = await startLive(t, dir, {}, (...args) => {
    const hints = systemHints(...args);
    assert.ok(hints instanceof EventEmitter);
    hints.emit('error', Object.assign(new Error('no space for watches'), { code: 'ENOSPC' }));
    return hints;
  });
  await writeInto(dir, edition(2));
  await serves(2);
});

test('closing ends a load that is under way', async t => {
  const dir = await writeFiles(t, edition(1));
  const { live, logged } = await startLive(t, dir, { reloadPollMs: 10, reloadQuietMs: 0 });
  await writeInto(dir, edition(2));
  await delay(30);
  await live.close();
  const { length } = logged;
  await writeInto(dir, edition(3));
  await delay(50);
  assert.equal(logged.length, length);
});
