import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateCatalog } from '../../scripts/bench/catalog/catalog.ts';
import { bombs } from '../support/catalog/bombs.ts';
import { sample, writeFiles } from '../support/catalogs.ts';
import { fuzzCatalogs, fuzzRequests, readSet } from '../support/fuzz.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { rounds } from '../support/soak.ts';
import { residentMemory } from '../support/visitor.ts';

/** For an hour: `FUZZ_SECONDS=3600 FUZZ_SEED=7 node --import tsx --test test/soak/fuzz.soak.ts`. */
const { FUZZ_SECONDS = rounds(5, 75), FUZZ_SEED = '20260201' } = process.env;
const seconds = Number(FUZZ_SECONDS);
const seed = Number(FUZZ_SEED);

/** Answers, details and searches take 35 MB and 1.4 times the news, which are at most 50 MB. */
const MAX_GROWTH_MB = 200;

test('mutated requests are answered as documented, and memory stays bounded', async t => {
  const catalogDir = await writeFiles(t, {});
  await generateCatalog(catalogDir, { news: rounds(10_000, 50_000), prices: 10_000, text: 'ascii', seed: 1 });
  const stateDir = join(await writeFiles(t, {}), 'state');
  const { child, listening } = startProcess(
    t,
    flagsOf({
      ...{ port: 0, catalogDir, imagesDir: sample.imagesDir, stateDir },
      // A request that never comes whole is given up soon, and there are feeds.
      ...{ clientTimeoutMs: 1_000, keepAliveMs: 1_000, newsUrl: 'https://example.com/news/{id}' },
    }),
  );
  const port = Number(new URL(await listening()).port);
  const pid = child.pid ?? assert.fail('there is no process');
  // All that is loaded and compiled on first use.
  await fuzzRequests(t, port, seed + 1, 2);
  const before = residentMemory(pid);
  await fuzzRequests(t, port, seed, seconds);
  const growth = Math.round((residentMemory(pid) - before) / 1024);
  assert.ok(growth <= MAX_GROWTH_MB, `memory grew by ${growth} MB`);
});

test('a megabyte of one repeated thing is loaded, or refused in time', async t => {
  for (const [name, file, , content] of bombs)
    t.diagnostic(`${name}: ${(await readSet(t, file, Buffer.from(content(1_000_000)))).join()}`);
});

test('mutated catalog files are loaded, or refused with a position and a printable message', async t => {
  await fuzzCatalogs(t, seed, seconds);
});
