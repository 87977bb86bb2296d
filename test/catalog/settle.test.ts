import assert from 'node:assert/strict';
import { appendFile, rename, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { fingerprint } from '../../src/catalog/fingerprint.ts';
import type { Loader } from '../../src/catalog/load.ts';
import { loadWhenStill } from '../../src/catalog/settle.ts';
import { openStatus } from '../../src/catalog/status.ts';
import { growingMs } from '../../src/catalog/trust.ts';
import { settingsFrom } from '../../src/settings.ts';
import { writeFiles } from '../catalogs.ts';
import { edition } from '../editions.ts';

const PAUSE_MS = 50;

for (const [what, change, isGrowth] of [
  ['has grown in its place', (path: string) => appendFile(path, '7,more,x,2024-01-01,1,,\n'), true],
  [
    'was replaced by a larger one',
    async (path: string) => {
      await writeFile(`${path}.new`, 'x'.repeat(10_000));
      await rename(`${path}.new`, path);
    },
    false,
  ],
  ['was cut', (path: string) => truncate(path, 10), false],
] as const) {
  test(`a file that ${what} ${isGrowth ? 'has to lie still five times as long as it paused' : 'is not waited for any longer'}`, async t => {
    const dir = await writeFiles(t, edition(1));
    const before = await fingerprint(dir);
    await delay(PAUSE_MS);
    await change(join(dir, 'news.csv'));
    const after = await fingerprint(dir);
    const pause = after.changedAt - before.changedAt;
    assert.ok(pause > 0);
    assert.equal(growingMs(before, after), isGrowth ? Math.min(6000, pause * 5) : 0);
    const muchLater = { ...after, changedAt: after.changedAt + 3_600_000 };
    assert.equal(growingMs(before, muchLater), isGrowth ? 6000 : 0);
  });
}

test('a file that was empty, as one is while it is replaced, is not waited for any longer', async t => {
  const dir = await writeFiles(t, { ...edition(1), 'news.csv': '' });
  const before = await fingerprint(dir);
  await delay(PAUSE_MS);
  await writeFile(join(dir, 'news.csv'), String(edition(1)['news.csv']));
  assert.equal(growingMs(before, await fingerprint(dir)), 0);
});

test('a slow copy is noticed while the first of it is being read', async t => {
  const dir = await writeFiles(t, edition(1));
  const first = await fingerprint(dir);
  let pause = 0;
  const stillMs: number[] = [];
  const loader: Loader = {
    async load(expected) {
      stillMs.push(expected.stillMs);
      if (stillMs.length > 1) return { outcome: 'unchanged' };
      await delay(PAUSE_MS);
      await appendFile(join(dir, 'news.csv'), '7,more,x,2024-01-01,1,,\n');
      pause = (await fingerprint(dir)).changedAt - first.changedAt;
      return { outcome: 'moved' };
    },
    close: async () => {},
  };
  const settings = settingsFrom({ catalogDir: dir, reloadQuietMs: 0 });
  const log = { info() {}, warn() {}, error() {} };
  const { signal } = new AbortController();
  const files = { print: first, since: performance.now() };
  await loadWhenStill(settings, files, { ...settings, status: openStatus(log).status(), loader, signal });
  assert.equal(stillMs.length, 2);
  assert.ok((stillMs[1] ?? 0) >= Math.min(6000, 5 * pause), `${stillMs} after ${pause}`);
});
