import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { generateCatalog } from '../../scripts/generate-catalog.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { sample, writeFiles } from '../support/catalogs.ts';
import { openCatalogs } from '../support/fuzz/catalogs.ts';
import { linkTo, openDrops } from '../support/fuzz/drops.ts';
import { exchange } from '../support/fuzz/exchange.ts';
import { fuzz } from '../support/fuzz/fuzz.ts';
import { longCatalogs } from '../support/fuzz/long-cases.ts';
import { openRequests } from '../support/fuzz/requests.ts';
import { openStates } from '../support/fuzz/states.ts';
import { cases } from '../support/http/wire-cases.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { rounds } from '../support/soak.ts';
import { residentMemory } from '../support/visitor.ts';

/** For an hour: `FUZZ_SECONDS=3600 FUZZ_SEED=7 node --import tsx --test test/soak/fuzz.soak.ts`. */
const { FUZZ_SECONDS = rounds(5, 75), FUZZ_SEED = '20260201' } = process.env;
const seconds = Number(FUZZ_SECONDS);
const seed = Number(FUZZ_SEED);

const NEWS = rounds(10_000, 50_000);
/** Answers, details and searches take 35 MB and 1.4 times the news, which are at most 50 MB. */
const MAX_GROWTH_MB = 200;
/** A request that never comes whole is given up soon, and there are feeds. */
const requestSettings = {
  clientTimeoutMs: 1_000,
  keepAliveMs: 1_000,
  newsUrl: 'https://example.com/news/{id}',
} satisfies Partial<Settings>;
/** Requests of every kind, after which all is loaded and compiled that is so on first use. */
const warming = [...Array(3)].flatMap(() => cases.map(([, bytes]) => bytes.toString('latin1')));

test('mutated requests are answered as documented, and memory stays bounded', async t => {
  const catalogDir = await writeFiles(t, {});
  await generateCatalog(catalogDir, { news: NEWS, prices: 10_000, text: 'ascii', seed: 1 });
  const { pid, address } = await start(t, catalogDir, requestSettings);
  const port = Number(new URL(address).port);
  await warm(port);
  const before = residentMemory(pid);
  const target = openRequests(port, pid);
  const findings = await fuzz(t, target, seed, seconds);
  const growth = Math.round((residentMemory(pid) - before) / 1024);
  t.diagnostic(`resident memory: ${Math.round(before / 1024)} MB, and ${growth} MB more after all cases`);

  for (const { ms, request } of target.slowest)
    t.diagnostic(`${ms.toFixed(1)} ms of the main thread: ${JSON.stringify(request.slice(0, 200))}`);
  assert.deepEqual(findings, []);
  assert.ok(growth <= MAX_GROWTH_MB, `memory grew by ${growth} MB`);
});

test('a megabyte of one repeated thing is loaded, or refused in time', async t => {
  const { run } = openCatalogs(await writeFiles(t, {}));
  for (const [name, item] of longCatalogs) {
    await t.test(name, async t => t.diagnostic((await run(item)).join()));
  }
});

test('mutated catalog files are loaded, or refused with a position and a printable message', async t => {
  assert.deepEqual(await fuzz(t, openCatalogs(await writeFiles(t, {})), seed, seconds), []);
});

test('while damaged sets arrive, the last good one is served, and the fixed one is loaded', async t => {
  const scratch = await writeFiles(t, {});
  const { address } = await start(t, await linkTo(scratch), {});
  assert.deepEqual(await fuzz(t, openDrops(address, scratch), seed, seconds), []);
});

test('mutated state files lose no count that can be read', async t => {
  assert.deepEqual(await fuzz(t, openStates(await writeFiles(t, {})), seed, seconds), []);
});

async function warm(port: number): Promise<void> {
  for (const request of warming) await exchange(port, request);
}

/** A process that serves these catalogs. */
async function start(t: TestContext, catalogDir: string, settings: Partial<Settings>) {
  const stateDir = join(await writeFiles(t, {}), 'state');
  const { imagesDir } = sample;
  const flags = flagsOf({ port: 0, catalogDir, imagesDir, stateDir, ...settings });
  const { child, listening } = startProcess(t, flags);
  return { address: await listening(), pid: child.pid ?? assert.fail('there is no process') };
}
