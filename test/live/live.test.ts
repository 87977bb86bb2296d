import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { LiveCatalog } from '../../src/live/live.ts';
import { type Loader, openReaders } from '../../src/live/readers.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { childrenOf, isLinux } from '../support/children.ts';
import { fixtureSet } from '../support/fixture-sets.ts';
import { startLive } from '../support/live.ts';
import { until } from '../support/until.ts';

test('a change event triggers a reload long before the next poll', async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  const { serves } = await startLive(t, dir, { reloadPollMs: 3_600_000 });
  const served = serves(2).then(() => true);
  // The watcher takes a moment to start, and has no event for it.
  do {
    await writeInto(dir, fixtureSet(2));
  } while (!(await Promise.race([served, delay(500, false)])));
});

test('files that could not be read are read again, even if they do not change', {
  skip: !isLinux,
}, async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  const { live, serves } = await startLive(t, dir, { reloadPollMs: 50 });
  await writeInto(dir, fixtureSet(2));
  const problem = await until(t, async () => {
    for (const reader of childrenOf()) process.kill(reader, 'SIGQUIT');
    return live.status().attempt?.report.problems[0];
  });
  const message = 'the set could not be read: the reader process ended unexpectedly (SIGQUIT)';
  assert.deepEqual([problem?.code, problem?.message], ['LOAD_FAILED', message]);
  await serves(2);
});

test('a long load is logged every ten seconds, close() aborts it, and nothing is loaded after that', async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  let live: LiveCatalog | undefined;
  const readersOf = (settings: Settings) => {
    const readers = openReaders(settings);
    const untilAborted: Loader['load'] = (_expected, _served, { onProgress, signal }) => {
      const now = performance.now() + 10_000;
      t.mock.method(performance, 'now', () => now);
      onProgress?.({ rows: 40_000, percent: 60 });
      t.mock.reset();
      return new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)));
    };
    return { ...readers, open: () => ({ ...readers.open(), ...(live && { load: untilAborted }) }) };
  };
  const { logged, ...started } = await startLive(t, dir, { reloadPollMs: 10 }, { readersOf });
  live = started.live;
  await writeInto(dir, fixtureSet(2));
  await until(t, async () => (live?.status().loading?.percent === 60 ? true : undefined));
  const { length } = logged;
  assert.equal(logged.at(-1), 'info: reading the catalogs: 60 %, 40,000 rows');
  await live.close();
  await writeInto(dir, fixtureSet(3));
  const other = await startLive(t, dir);
  await other.serves(3);
  assert.equal(logged.length, length);
  assert.equal(live.status().loading, undefined);
});

test('the warning of a missing image goes away when the image arrives, under its name in any Unicode form', async t => {
  const imagesDir = await writeFiles(t, {});
  const [head, ...rows] = String(fixtureSet(1)['news.csv']).trim().split('\n');
  const news = [`${head},img`, ...rows.map(row => `${row},caf\u00e9.png`), ''].join('\n');
  const dir = await writeFiles(t, { ...fixtureSet(1), 'news.csv': news });
  const { live, outcome } = await startLive(t, dir, { imagesDir, reloadPollMs: 20 });
  const warnings = live.status().attempt?.report.warnings ?? 0;
  assert.ok(warnings > 0);
  const before = live.snapshot();
  await writeFile(join(imagesDir, 'cafe\u0301.png'), '');
  const { report } = await outcome(({ status }) =>
    status().attempt?.outcome === 'unchanged' ? status().attempt : undefined,
  );
  assert.equal(report.warnings, 0);
  assert.equal(live.snapshot(), before);
});
