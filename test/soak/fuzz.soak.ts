import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { generateCatalog } from '../../scripts/bench/catalog/catalog.ts';
import type { Settings } from '../../src/settings/settings.ts';
import { bombs } from '../support/catalog/bombs.ts';
import { sample, writeFiles } from '../support/catalogs.ts';
import { openCatalogs } from '../support/fuzz/catalogs.ts';
import { fuzz, utf8 } from '../support/fuzz/fuzz.ts';
import { exchange, openRequests } from '../support/fuzz/requests.ts';
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
  const stateDir = join(await writeFiles(t, {}), 'state');
  const { imagesDir } = sample;
  const flags = flagsOf({ port: 0, catalogDir, imagesDir, stateDir, ...requestSettings });
  const { child, listening } = startProcess(t, flags);
  const port = Number(new URL(await listening()).port);
  const pid = child.pid ?? assert.fail('there is no process');
  for (const request of warming) await exchange(port, request);
  const before = residentMemory(pid);
  await fuzz(t, openRequests(port), seed, seconds);
  const growth = Math.round((residentMemory(pid) - before) / 1024);
  t.diagnostic(`resident memory: ${Math.round(before / 1024)} MB, and ${growth} MB more after all cases`);
  assert.ok(growth <= MAX_GROWTH_MB, `memory grew by ${growth} MB`);
});

test('a megabyte of one repeated thing is loaded, or refused in time', async t => {
  const { run } = openCatalogs(await writeFiles(t, {}));
  for (const [name, file, , content] of bombs) {
    const made = content(1_000_000);
    const text = typeof made === 'string' ? utf8(made) : made.toString('latin1');
    t.diagnostic(`${name}: ${(await run({ [file]: text })).join()}`);
  }
});

test('mutated catalog files are loaded, or refused with a position and a printable message', async t => {
  await fuzz(t, openCatalogs(await writeFiles(t, {})), seed, seconds);
});

test('mutated state files lose no count that can be read', async t => {
  await fuzz(t, openStates(await writeFiles(t, {})), seed, seconds);
});
