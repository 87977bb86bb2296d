import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LoadedChange } from '../../src/live/readers.ts';
import { loadWhenStable, openCatalogDirectory } from '../../src/live/watch.ts';
import type { Expectation } from '../../src/reader/changed-set.ts';
import { writeFiles } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';

const append = (path: string) => appendFile(path, '7,7,2024-01-01,more,more\n');

test('what is incomplete and changes again is being written, and is read again when it has lain still', async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  const asked: Pick<Expectation, 'stillMs' | 'isBeingWritten'>[] = [];
  const startedOver: number[] = [];
  const clock = { ms: 0 };
  t.mock.method(performance, 'now', () => clock.ms);
  const answers: LoadedChange[] = [
    { outcome: 'incomplete', stillMs: 0 },
    { outcome: 'incomplete', stillMs: 700 },
    { outcome: 'incomplete', stillMs: 700 },
    { outcome: 'unchanged' },
  ];
  const read = async ({ stillMs, isBeingWritten }: Pick<Expectation, 'stillMs' | 'isBeingWritten'>) => {
    asked.push({ stillMs, isBeingWritten });
    if (asked.length < 3) await append(join(dir, 'news.csv'));
    return answers[asked.length - 1] ?? assert.fail();
  };
  const { signal } = new AbortController();
  const directory = openCatalogDirectory(dir, '/nowhere');
  const watched = {
    ...directory,
    look(signal: AbortSignal) {
      clock.ms += 100;
      return directory.look(signal);
    },
  };
  await loadWhenStable(watched, await directory.look(signal), {
    ...{ since: clock.ms, reloadQuietMs: 50, read, signal },
    onStartOver: () => startedOver.push(asked.length),
  });
  assert.deepEqual(asked, [
    { stillMs: 100, isBeingWritten: false },
    { stillMs: 100, isBeingWritten: false },
    { stillMs: 100, isBeingWritten: true },
    { stillMs: 700, isBeingWritten: true },
  ]);
  // The second one is incomplete, and the files change then and after the first and the second one.
  assert.deepEqual(startedOver, [1, 2, 2, 3]);
});
