import assert from 'node:assert/strict';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generateCatalog } from '../../scripts/bench/catalog.ts';
import { writeFiles } from '../support/catalogs.ts';
import { childrenOf, isLinux } from '../support/children.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { skipUnlessLong } from '../support/skipping.ts';

/** Fewer rows take less than the process itself, and garbage that nobody has to collect yet. */
const ROWS = 100_000;
const SIZE = { news: ROWS, prices: ROWS, seed: 1 };
/** The manual says about five; runs differ by a few MB. */
const TIMES_FILES = 5.5;

/** The peak memory of a process in MB; 0 if it has ended. */
function peakMb(pid: number): number {
  try {
    return Number(/VmHWM:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? 0) / 1024;
  } catch {
    return 0;
  }
}

/** Starts a service and waits until it is ready; resolves to the peaks of its two processes. */
async function load(t: TestContext, catalogDir: string) {
  const flags = flagsOf({ port: 0, catalogDir, imagesDir: catalogDir, maxFileMb: 256 });
  const { child, exit, listening } = startProcess(t, [...flags, '--state-dir', join(catalogDir, 'state')]);
  const pid = child.pid ?? assert.fail('there is no process');
  const peaks = new Map<number, number>();
  const look = () => {
    for (const id of [pid, ...childrenOf(pid)]) peaks.set(id, Math.max(peaks.get(id) ?? 0, peakMb(id)));
  };
  const timer = setInterval(look, 20);
  await listening();
  clearInterval(timer);
  look();
  child.kill('SIGTERM');
  // It saves into the directory until it ends.
  await exit;
  return [...peaks.values()];
}

for (const text of ['ascii', 'chinese'] as const) {
  const what = `${ROWS} news items and as many prices, ${text}`;
  test(`${what}: no process takes over ${TIMES_FILES} times the files`, {
    skip: !isLinux || (text === 'ascii' && skipUnlessLong),
  }, async t => {
    const dir = await writeFiles(t, {});
    await generateCatalog(dir, { ...SIZE, text });
    const files = readdirSync(dir).reduce((sum, name) => sum + statSync(join(dir, name)).size, 0) / 2 ** 20;
    const peaks = await load(t, dir);
    t.diagnostic(`files ${files.toFixed(0)} MB; peaks ${peaks.map(Math.round).join(' and ')} MB`);
    for (const peak of peaks) assert.ok(peak <= TIMES_FILES * files, `${peak} MB for ${files} MB`);
  });
}
