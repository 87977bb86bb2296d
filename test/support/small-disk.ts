import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { open, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { TestContext } from 'node:test';
import { afterTest } from './after-test.ts';
import { writeFiles } from './catalogs.ts';

const PAGE_BYTES = 4096;

/** The directory of a small disk that is unmounted after the test; undefined, with the test skipped, where that cannot be had. */
export async function mountSmallDisk(t: TestContext, kilobytes: number): Promise<string | undefined> {
  const dir = await writeFiles(t, {});
  const mounting = spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${kilobytes}k`, 'tmpfs', dir], {
    encoding: 'utf8',
  });
  if (mounting.status !== 0) {
    const reason = `no small disk can be mounted: ${mounting.error?.message ?? mounting.stderr}`;
    assert.ok(!process.env.CI, reason);
    t.skip(reason);
    return undefined;
  }
  afterTest(t, () => spawnSync('umount', ['-l', dir]));
  return dir;
}

/** Fills a disk up but for some pages; returns what frees it. */
export async function fill(dir: string, pagesFree: number): Promise<() => Promise<void>> {
  const path = join(dir, 'filler');
  const filler = await open(path, 'w');
  let pages = 0;
  const writePage = () => filler.write(Buffer.alloc(PAGE_BYTES)).then(() => (pages += 1));
  try {
    await assert.rejects(
      async () => {
        for (;;) await writePage();
      },
      { code: 'ENOSPC' },
    );
    await filler.truncate((pages - pagesFree) * PAGE_BYTES);
  } finally {
    await filler.close();
  }
  return () => rm(path);
}
