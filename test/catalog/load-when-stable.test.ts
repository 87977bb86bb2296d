import assert from 'node:assert/strict';
import { appendFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import type { Loader } from '../../src/catalog/load.ts';
import { loadWhenStable } from '../../src/catalog/load-when-stable.ts';
import { openStatus } from '../../src/catalog/status.ts';
import { openCatalogDirectory } from '../../src/catalog/watch/catalog-directory.ts';
import { fingerprint } from '../../src/catalog/watch/fingerprint.ts';
import { growingMs } from '../../src/catalog/watch/stability.ts';
import { settingsFrom } from '../../src/settings/read.ts';
import { type Files, writeFiles } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';

const PAUSE_MS = 50;

/** How long files must be stable after this change of the news file, and how long before it they changed. */
async function changeNews(t: TestContext, files: Files, change: (path: string) => Promise<void>) {
  const dir = await writeFiles(t, files);
  const before = await fingerprint(dir);
  await delay(PAUSE_MS);
  await change(join(dir, 'news.csv'));
  const after = await fingerprint(dir);
  const later = { ...after, changedAt: after.changedAt + 3_600_000 };
  const pause = after.changedAt - before.changedAt;
  return { pause, quietMs: growingMs(before, after), quietMsLater: growingMs(before, later) };
}

const append = (path: string) => appendFile(path, '7,7,2024-01-01,more,more\n');
const news = String(fixtureSet(1)['news.csv']);

test('a file that grew in place must be stable for five times its pause, at most six seconds', async t => {
  const { pause, quietMs, quietMsLater } = await changeNews(t, fixtureSet(1), append);
  assert.ok(pause > 0);
  assert.equal(quietMs, Math.min(6000, 5 * pause));
  assert.equal(quietMsLater, 6000);
});

test('files that were replaced, truncated or empty before need no longer time', async t => {
  const replace = async (path: string) => {
    await writeFile(`${path}.new`, news + news);
    await rename(`${path}.new`, path);
  };
  const cases: [files: Files, change: (path: string) => Promise<void>][] = [
    [fixtureSet(1), replace],
    [fixtureSet(1), path => truncate(path, 10)],
    [{ ...fixtureSet(1), 'news.csv': '' }, path => writeFile(path, news)],
  ];
  for (const [files, change] of cases) {
    const { pause, quietMs, quietMsLater } = await changeNews(t, files, change);
    assert.ok(pause > 0);
    assert.deepEqual([quietMs, quietMsLater], [0, 0], String(change));
  }
});

test('a file that grows while it is read is detected', async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  const first = await fingerprint(dir);
  let pause = 0;
  const stillMs: number[] = [];
  const loader: Loader = {
    async load(expected) {
      stillMs.push(expected.stillMs);
      if (stillMs.length > 1) return { outcome: 'unchanged' };
      await delay(PAUSE_MS);
      await append(join(dir, 'news.csv'));
      pause = (await fingerprint(dir)).changedAt - first.changedAt;
      return { outcome: 'moved' };
    },
    restore: async () => undefined,
    keep: async () => {},
    close() {},
  };
  const settings = settingsFrom({ catalogDir: dir, reloadQuietMs: 0 });
  const log = { info() {}, warn() {}, error() {} };
  const { signal } = new AbortController();
  const directory = openCatalogDirectory(dir, '/nowhere');
  await loadWhenStable(directory, await directory.look(signal), performance.now(), {
    ...settings,
    status: openStatus(log).status(),
    kept: undefined,
    servedSnapshot: async () => undefined,
    onProgress() {},
    onDamage() {},
    loader,
    signal,
  });
  assert.equal(stillMs.length, 2);
  assert.ok((stillMs[1] ?? 0) >= Math.min(6000, 5 * pause), `${stillMs} after ${pause}`);
});
