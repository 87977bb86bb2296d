import assert from 'node:assert/strict';
import { mkdir, readdir, rename, rm, symlink } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { seededRandom } from '../../scripts/bench/catalog.ts';
import type { ReadCounter } from '../../src/reads/counts.ts';
import { exportCounts, importCounts } from '../../src/reads/import-export.ts';
import { openReads } from '../../src/reads/open.ts';
import { afterTest } from '../support/after-test.ts';
import { writeFiles } from '../support/catalogs.ts';
import { healthOf, newShop, resolving, serveShop } from '../support/process.ts';
import { startProgram } from '../support/programs.ts';
import { skipWithout } from '../support/skipping.ts';
import { keepingLog, startFileStore } from '../support/stores.ts';

/** Hides the package of the native addon, which has none for musl, armv7, ia32 and s390x. */
const withoutAddon = resolving(
  'fs-native-extensions',
  "throw new Error('no addon for this system\\nrequired from elsewhere')",
);

const ways: [lock: string, env: Record<string, string>, skip: string | false][] = [
  ['the native addon', {}, false],
  ['flock, without the addon', withoutAddon, skipWithout('flock')],
];

for (const [lock, env, skip] of ways) {
  test(`by ${lock}: a second process on a state directory is refused in one sentence that names the first, and starts after its kill -9`, {
    skip,
  }, async t => {
    const dirs = await newShop(t);
    const start = () => serveShop(t, dirs, {}, env);
    const first = start();
    assert.deepEqual((await healthOf(await first.listening())).reasons, []);

    const second = start();
    await Promise.race([second.exit, second.listening()]);
    assert.equal(second.child.exitCode, 1);
    assert.equal(
      (await second.exit).stderr,
      `the state directory ${dirs.stateDir} is in use by process ${first.child.pid} on ${hostname()}: stop it, or set another STATE_DIR\n`,
    );

    first.child.kill('SIGKILL');
    await first.exit;
    await start().listening();
  });

  test(`by ${lock}: of ten processes that lock a directory at once, one succeeds`, { skip }, async t => {
    const stateDir = await writeFiles(t, {});
    const module = new URL('../../src/reads/file/lock.ts', import.meta.url);
    const log = '{ info() {}, warn: console.error, error() {} }';
    const code = `
      const { lockStateDir } = await import(${JSON.stringify(module.href)});
      await lockStateDir(${JSON.stringify(stateDir)}, ${log});
      console.log('taken');
      process.stdin.resume();`;
    const args = ['--import', import.meta.resolve('tsx'), '--input-type=module', '--eval', code];
    const outcomes = Array.from({ length: 10 }, async () => {
      const program = [process.execPath, ...args];
      const { says, exit } = startProgram(t, program, { env: { ...process.env, ...env } });
      return says(/taken/).then(String, async () => (await exit).code);
    });
    assert.deepEqual((await Promise.all(outcomes)).sort(), [...Array(9).fill(1), 'taken']);
  });
}

test('a service without any lock is degraded, and says why', async t => {
  const dirs = await newShop(t);
  const { listening, output } = serveShop(t, dirs, {}, { ...withoutAddon, PATH: dirs.catalogDir });
  const { status, reasons } = await healthOf(await listening());
  const reason =
    'the state directory is not locked (fs-native-extensions: no addon for this system; flock: no such file or directory): make sure that no other process uses it';
  assert.deepEqual([status, reasons], ['degraded', [reason]]);
  assert.ok(output.stdout.includes(reason));
});

test('while the lock file cannot be opened, nothing is saved, and the log and /health say why once', async t => {
  const { place, messages, open } = await startFileStore(t);
  await mkdir(join(place.stateDir, 'lock'));
  const counter = await open();
  const reason = 'read counts cannot be saved: illegal operation on a directory';
  assert.deepEqual(counter.health().reasons, [reason]);
  await counter.raise(1, 0);
  await counter.flush();
  assert.deepEqual(counter.health().reasons, [reason]);
  assert.deepEqual(await readdir(place.stateDir), ['lock']);
  await assert.rejects(importCounts(place, new Map([[1, 5]]), keepingLog()), /cannot be locked: EISDIR/);
  assert.match(
    messages.join(),
    /^error: read counts cannot be saved, retrying: the state directory .* cannot be locked: EISDIR[^,]*, open '[^,]*$/,
  );
  await assert.rejects(counter.close(), /^Error: 1 read could not be saved: the state directory/);
});

for (const [what, change] of [
  ['renamed', (dir: string) => rename(dir, `${dir}-away`)],
  ['deleted', (dir: string) => rm(dir, { recursive: true })],
  ['replaced by another', (dir: string) => rename(dir, `${dir}-away`).then(() => mkdir(dir))],
] as const) {
  test(`a state directory that is ${what} while the service runs is made and locked again, with everything in it`, async t => {
    const { place } = await startFileStore(t);
    const stateDir = join(place.stateDir, 'state');
    const settings = { ...place, stateDir };
    const { messages, ...log } = keepingLog();
    const counter = await openReads(settings, log);
    afterTest(t, () => counter.close().catch(() => {}));
    await counter.raise(1, 0);
    await counter.flush();
    await counter.raise(2, 0);
    await counter.flush();
    await change(stateDir);
    await counter.flush();
    assert.deepEqual(JSON.parse(await exportCounts(settings)).counts, { 1: 1, 2: 1 });
    assert.match(messages.join(), /^warn: .*state was moved, deleted or replaced: using the directory/);
    assert.deepEqual(counter.health().reasons, []);
    await assert.rejects(openReads(settings, log), /is in use by another service of this process: close/);
    await counter.raise(2, 0);
    await counter.flush();
    assert.deepEqual(JSON.parse(await exportCounts(settings)).counts, { 1: 1, 2: 2 });
    if (what !== 'deleted') {
      const away = { ...settings, stateDir: `${stateDir}-away` };
      assert.deepEqual(JSON.parse(await exportCounts(away)).counts, { 1: 1, 2: 1 });
    }
  });
}

const FLOOR = 100;
const NEWS = [1, 2];

/**
 * What happens, one after the other, to processes A and B and to their lock file, which is deleted, or made impossible to
 * open, as in a read-only directory, until it is deleted.
 */
const events = [
  'block',
  'delete',
  ...['starts', 'stops', 'reads', 'saves'].flatMap(verb => [`A ${verb}`, `B ${verb}`]),
];

/** Two processes, and how many reads the files must have in the end. */
async function startPlay(t: TestContext) {
  const { place, open, saved } = await startFileStore(t);
  const lock = join(place.stateDir, 'lock');
  const processes = new Map<string, ReadCounter>();
  let reads = 0;
  const actions: Record<string, (name: string) => Promise<unknown>> = {
    delete: () => rm(lock, { force: true }),
    block: () => rm(lock, { force: true }).then(() => symlink('missing/lock', lock)),
    async starts(name) {
      if (processes.has(name)) return;
      const inUse = /is in use by another service of this process: close/;
      await open().then(
        counter => processes.set(name, counter),
        error => assert.match(String(error), inUse),
      );
    },
    async stops(name) {
      const lost = /^Error: (\d+) reads? could not be saved/;
      await processes
        .get(name)
        ?.close()
        .catch(error => (reads -= Number(lost.exec(String(error))?.[1])));
      processes.delete(name);
    },
    async reads(name) {
      for (const id of processes.has(name) ? NEWS : []) {
        await processes.get(name)?.raise(id, FLOOR);
        reads += 1;
      }
    },
    saves: async name => processes.get(name)?.flush(),
  };
  const happen = async (event: string) => {
    const [name = '', verb = name] = event.split(' ');
    await actions[verb]?.(name);
  };
  return {
    happen,
    processes,
    /** Ends all processes while the directory can be locked, and asserts that each read is stored once. */
    async settle(what: string) {
      await happen('delete');
      while (processes.size > 0) {
        const before = processes.size;
        for (const [name, counter] of processes) {
          await counter.flush();
          if (counter.health().reasons.length === 0) await happen(`${name} stops`);
        }
        assert.ok(processes.size < before, `none gets the lock: ${what}`);
      }
      const counts = Object.values(await saved().catch(() => ({})));
      const stored = counts.reduce((sum, count) => sum + count - FLOOR, 0);
      assert.equal(stored, reads, what);
    },
  };
}

/** What happens, and which process is refused at its start or degraded in the end, as the other one has the lock. */
const orders = {
  'block, A starts, A reads, delete, A saves, B starts, B reads, A saves': 'B refused',
  'block, A starts, A reads, delete, B starts, B reads, B saves, A reads, A saves': 'A degraded',
  'block, A starts, B starts, A reads, B reads, delete, A saves, B saves, B reads': 'B degraded',
  'A starts, A reads, A saves, A reads, delete, B starts, B reads, B saves, A saves, B reads': 'A degraded',
};

for (const [order, expected] of Object.entries(orders))
  test(`each read is stored once, and ${expected}: ${order}`, async t => {
    const { happen, processes, settle } = await startPlay(t);
    for (const event of order.split(', ')) await happen(event);
    const found = ['A', 'B'].flatMap(name => {
      const reasons = processes.get(name)?.health().reasons.join();
      if (reasons === undefined) return [`${name} refused`];
      return /in use by another service/.test(reasons) ? [`${name} degraded`] : [];
    });
    assert.deepEqual(found, [expected]);
    await settle(order);
  });

test('each read is stored once, or a stop says that it is not, in any order of events', async t => {
  for (let round = 1; round <= 30; round += 1) {
    const { happen, settle } = await startPlay(t);
    const random = seededRandom(round);
    const order = Array.from({ length: 25 }, () => events[Math.floor(random() * events.length)] ?? 'delete');
    for (const event of order) await happen(event);
    await settle(order.join());
  }
});
