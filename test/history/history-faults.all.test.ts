import assert from 'node:assert/strict';
import { test } from 'node:test';
import { keepAndPrune, readAll, setOf, UNBOUNDED } from '../support/history.ts';
import {
  type Files,
  type Incident,
  type Mishap,
  type SimulatedDisk,
  simulateDisk,
} from '../support/simulated-disk.ts';

const DAY = 86_400;
/** Each but the first lets the one before the last expire. Some share a file. */
const sets = ['one', 'two', 'three', 'four'].map((text, index) =>
  setOf({ 'products.json': text, 'news.csv': `news ${Math.floor(index / 2)}` }, index * 20 * DAY),
);
const bounds = { ...UNBOUNDED, historyDays: 30 };

/** Keeps all sets, each with one retry, as long as there is power. */
async function keepAll(disk: SimulatedDisk): Promise<{ kept: number; failures: number }> {
  let kept = 0;
  let failures = 0;
  for (const [index, set] of sets.entries()) {
    const keep = () =>
      keepAndPrune(disk, set, bounds).then(
        () => true,
        () => false,
      );
    let isKept = await keep();
    if (!isKept) {
      failures += 1;
      isKept = await keep();
    }
    if (isKept) kept = index + 1;
    if (!disk.hasPower()) break;
  }
  return { kept, failures };
}

/** The number of the newest set in these files. Asserts that nothing is damaged, and that they have no other sets. */
async function newestIn(files: Files, incident: Incident): Promise<number> {
  const { sets: found, damage } = await readAll(simulateDisk(files));
  assert.deepEqual(damage, [], JSON.stringify(incident));
  const numbers = found.map(texts => 1 + sets.findIndex(set => set.texts.join() === texts.join()));
  assert.ok(!numbers.includes(0), JSON.stringify(incident));
  return numbers[0] ?? 0;
}

/** Every incident of one operation of these kinds of mishap, or of that one and all after it. */
async function* incidents(mishaps: Mishap[], isLasting = false): AsyncGenerator<Incident> {
  const whole = simulateDisk();
  await keepAll(whole);
  for (const mishap of mishaps)
    for (const index of whole.operations.keys())
      yield {
        mishap,
        from: index + 1,
        to: isLasting ? Number.POSITIVE_INFINITY : index + 1,
        ...(mishap === 'short write' && { kinds: ['writeFile'] }),
      };
}

test('a power loss or a kill at any moment leaves the set that was kept last, or the one that was being kept', async () => {
  let moments = 0;
  const newest = new Set<number>();
  for await (const incident of incidents(['power loss before', 'power loss after'])) {
    const disk = simulateDisk({}, [incident]);
    const { kept } = await keepAll(disk);
    for (const files of disk.found()) {
      const number = await newestIn(files, incident);
      assert.ok(number === kept || number === kept + 1, `${JSON.stringify(incident)}: ${kept}, ${number}`);
      newest.add(number);
      moments += 1;
    }
    // What a process that was killed wrote is there for the next one, synced or not.
    const next = simulateDisk(disk.found().at(-1));
    assert.deepEqual(await keepAll(next), { kept: 4, failures: 0 }, JSON.stringify(incident));
    assert.equal(await newestIn(next.found()[0] ?? {}, incident), 4);
  }
  assert.deepEqual([...newest].sort(), [0, 1, 2, 3, 4]);
  assert.ok(moments > 200, `${moments} moments`);
});

test('a fault of the disk fails the set that is being kept at most, and a retry keeps it; one for good leaves what was kept', async () => {
  let failures = 0;
  for (const isLasting of [false, true])
    for await (const incident of incidents(['EIO', 'ENOSPC', 'EROFS', 'short write'], isLasting)) {
      const disk = simulateDisk({}, [incident]);
      const run = await keepAll(disk);
      if (!isLasting) assert.equal(run.kept, 4, JSON.stringify(incident));
      for (const files of disk.found()) assert.ok((await newestIn(files, incident)) >= run.kept);
      failures += run.failures;
    }
  assert.ok(failures > 100, `${failures} failures`);
});
