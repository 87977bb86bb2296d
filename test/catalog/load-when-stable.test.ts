import assert from 'node:assert/strict';
import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { LoadedChange, Loader } from '../../src/catalog/load.ts';
import { loadWhenStable } from '../../src/catalog/load-when-stable.ts';
import type { Expectation } from '../../src/catalog/reader/changed-set.ts';
import { openStatus } from '../../src/catalog/status.ts';
import { openCatalogDirectory } from '../../src/catalog/watch/catalog-directory.ts';
import { STILL_MS } from '../../src/catalog/watch/stability.ts';
import { writeFiles } from '../support/catalogs.ts';
import { fixtureSet } from '../support/fixture-sets.ts';

const append = (path: string) => appendFile(path, '7,7,2024-01-01,more,more\n');

test('files that were read and changed again are doubted; what may be incomplete is read again when it has lain still', async t => {
  const dir = await writeFiles(t, fixtureSet(1));
  const asked: Pick<Expectation, 'stillMs' | 'doubted'>[] = [];
  const digest = (bytes: number) => ({ file: 'news.csv', bytes, sha256: '' });
  const answers: LoadedChange[] = [
    { outcome: 'moved', digests: [digest(1)] },
    { outcome: 'unstable', digests: [digest(2)] },
    { outcome: 'unchanged' },
  ];
  const loader: Loader = {
    async load({ stillMs, doubted }) {
      asked.push({ stillMs, doubted });
      if (asked.length === 1) await append(join(dir, 'news.csv'));
      return answers[asked.length - 1] ?? assert.fail();
    },
    restore: async () => undefined,
    keep: async () => 0,
    tidy: async () => true,
    restart() {},
    close() {},
  };
  const { signal } = new AbortController();
  const directory = openCatalogDirectory(dir, '/nowhere');
  await loadWhenStable(directory, await directory.look(signal), performance.now(), {
    reloadQuietMs: 0,
    holdBack: true,
    status: openStatus(() => {}).status(),
    kept: undefined,
    servedSnapshot: async () => undefined,
    onProgress() {},
    onDamage() {},
    loader,
    signal,
  });
  assert.deepEqual(
    asked.map(({ doubted }) => doubted),
    [[], [digest(1)], [digest(1), digest(2)]],
  );
  assert.ok((asked[2]?.stillMs ?? 0) >= STILL_MS, 'the last one waited');
});
