import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { readSource } from '../catalog/read-source.ts';
import { sourceIn } from '../catalogs.ts';
import { type Case, writeCase } from './cases.ts';
import type { Target } from './fuzz.ts';
import { drawSet, ENCODING, setOf } from './sets.ts';

/** How long a change may take to be looked at; files that seem to be cut off are waited for for 6 s. */
const PATIENCE_MS = 120_000;

/** The link to the catalogs that a service serves, which is made to lead to the shop. */
export async function linkTo(scratch: string): Promise<string> {
  const link = join(scratch, 'current');
  writeCase(join(scratch, 'whole'), setOf({}));
  await symlink('whole', link);
  return link;
}

/** Damaged sets, each put in the place of the set that is served at `address` through a link, and repaired afterwards. */
export function openDrops(address: string, scratch: string): Target {
  const healthy = ['loaded', 'unchanged'];
  const damaged = ['pending', 'failed'];
  const lead = async (folder: string) => {
    await symlink(folder, join(scratch, 'next'));
    await rename(join(scratch, 'next'), join(scratch, 'current'));
  };
  return {
    name: 'catalogs',
    draw: drawSet,
    async run({ [ENCODING]: _, ...item }: Case) {
      const dir = join(scratch, 'damaged');
      await mkdir(dir);
      writeCase(dir, setOf(item));
      try {
        const { report } = await readSource(sourceIn(dir));
        if (report.version) return ['loaded'];
        const { version } = await lookedAt(address, healthy);
        await lead('damaged');
        assert.equal((await lookedAt(address, damaged)).version, version, 'a damaged set is served');
        assert.equal((await fetch(`${address}/api/news/1`)).status, 200);
        await lead('whole');
        assert.equal((await lookedAt(address, healthy)).version, version, 'the repaired set is not served');
        return ['repaired'];
      } finally {
        await lead('whole');
        await rm(dir, { recursive: true });
      }
    },
  };
}

/** Resolves to what is served once the last change came out like this. */
async function lookedAt(address: string, outcomes: string[]): Promise<{ version: string }> {
  const end = performance.now() + PATIENCE_MS;
  while (performance.now() < end) {
    const { data } = JSON.parse(await (await fetch(`${address}/health`)).text());
    if (outcomes.includes(data.last_attempt.outcome)) return data.catalogs;
    await delay(20);
  }
  throw new Error(`the files were not looked at within ${PATIENCE_MS} ms`);
}
