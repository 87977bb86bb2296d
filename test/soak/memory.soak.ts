import assert from 'node:assert/strict';
import { statSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateCatalog } from '../../scripts/bench/catalog.ts';
import type { Health } from '../../src/contract/health.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { healthOf, newShop, serveShop } from '../support/process.ts';
import { childrenOf, isLinux } from '../support/programs.ts';
import { isLong, skipUnlessLong } from '../support/skipping.ts';
import { until } from '../support/until.ts';
import { bombs } from './bombs.ts';
import { openMemoryLimit } from './memory-limit.ts';

const BYTES = 63 * 2 ** 20;
const CONTAINER_MB = 512;
/** The usual form has some that take the most memory. */
const worst = ['rows without a value', 'a character that becomes 18', 'as many prices as fit'];
const dropped = bombs.filter(([name]) => isLong || worst.includes(name));

test(`no file stops the service in a container of ${CONTAINER_MB} MB, and a good set is loaded after it`, async t => {
  const limit = openMemoryLimit(t, CONTAINER_MB);
  const dirs = await newShop(t);
  const { catalogDir: dir } = dirs;
  const { child, listening } = serveShop(t, dirs, { holdBack: 'off' });
  limit(child);
  const address = await listening();
  const outcome = <Found>(look: (health: Health) => Found | undefined) =>
    until(t, async () => look(await healthOf(address)));
  for (const [name, file, code, content] of dropped) {
    const before = (await healthOf(address)).catalogs?.version;
    await replace(dir, file, content(BYTES));
    const found = await outcome(({ last_attempt: attempt, catalogs }) => {
      const problem = attempt?.problems.find(found => found.code === code || found.code === 'LOAD_FAILED');
      if (problem) assert.equal(catalogs?.version, before, name);
      else assert.notEqual(attempt?.outcome, 'failed', `${name}: ${JSON.stringify(attempt?.problems[0])}`);
      const isLoaded = attempt?.outcome === 'loaded' && catalogs?.version !== before;
      return problem ? `${problem.code} ${problem.message.slice(0, 100)}` : isLoaded;
    });
    t.diagnostic(`${name}: ${found === true ? 'loaded' : found}`);

    const served = (await healthOf(address)).catalogs?.version;
    await replace(dir, 'news.json', JSON.stringify(shop['news.json']));
    await replace(dir, 'prices.csv', String(shop['prices.csv']));
    await replace(dir, 'products.json', JSON.stringify([1, 2, 3].map(id => ({ id, name }))));
    await outcome(
      ({ last_attempt: attempt, catalogs }) =>
        (attempt?.outcome === 'loaded' && catalogs?.version !== served) || undefined,
    );
  }
  assert.equal(child.exitCode, null);
});

/** Replaces a catalog, whether it is JSON or CSV. */
async function replace(dir: string, file: string, content: string | Buffer): Promise<void> {
  await writeFile(join(dir, `${file}.new`), content);
  const other = file.replace(/json$|csv$/, ending => (ending === 'csv' ? 'json' : 'csv'));
  await rm(join(dir, other), { force: true });
  await rename(join(dir, `${file}.new`), join(dir, file));
}

/** Fewer rows take less than the process itself, and garbage that nobody has to collect yet. */
const ROWS = 100_000;
/** The manual says about five; runs differ by a few MB. */
const TIMES_FILES = 5.5;

/** The peak memory of a process in MB; 0 if it has ended. */
async function peakMb(pid: number): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8').catch(() => '');
  return Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024;
}

for (const text of ['ascii', 'chinese'] as const)
  test(`${ROWS} news items and as many prices, ${text}: no process takes over ${TIMES_FILES} times the files`, {
    skip: !isLinux || (text === 'ascii' && skipUnlessLong),
  }, async t => {
    const catalogDir = await writeFiles(t, {});
    await generateCatalog(catalogDir, { news: ROWS, prices: ROWS, text });
    const sizes = (await readdir(catalogDir)).map(name => statSync(join(catalogDir, name)).size);
    const filesMb = sizes.reduce((sum, size) => sum + size, 0) / 2 ** 20;
    const dirs = { catalogDir, stateDir: join(catalogDir, 'state') };
    const { pid, end, output } = serveShop(t, dirs, { maxFileMb: 256 });
    const peaks = new Map<number, number>();
    await until(t, async () => {
      for (const id of [pid, ...childrenOf(pid)])
        peaks.set(id, Math.max(peaks.get(id) ?? 0, await peakMb(id)));
      return /listening on/.test(output.stdout);
    });
    await end();
    t.diagnostic(
      `files ${filesMb.toFixed(0)} MB; peaks ${[...peaks.values()].map(Math.round).join(' and ')} MB`,
    );
    for (const peak of peaks.values())
      assert.ok(peak <= TIMES_FILES * filesMb, `${peak} MB for ${filesMb} MB`);
  });
