import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { type TestContext, test } from 'node:test';
import { previousPath } from '../../src/reads/file/atomic-write.ts';
import { readUntilStopped } from '../support/process.ts';
import { skipWithout } from '../support/skipping.ts';
import { rounds } from '../support/soak.ts';
import { countsIn, FLOOR, FLUSH_MS, openShop, readsIn, TRACEABLE } from '../support/state-shop.ts';
import type { Call } from '../support/strace.ts';

const KILLS = rounds(20, 100);
const CLIENTS = 100;
/** A kill comes so many answers after so many saves, each at random. */
const [MOST_ANSWERS, MOST_SAVES] = [500, 3];
const ANSWERS_PER_LOOK = 10;

test(`${KILLS} kills under ${CLIENTS} clients lose nothing that was read before the last save began`, {
  timeout: 900_000,
}, async t => {
  const { file, start } = await openShop(t);
  const losses: number[] = [];
  let [before, all, milliseconds, bounded] = [0, 0, 0, 0];
  for (let round = 0; round < KILLS; round += 1) {
    const { child, exit, address } = await start();
    const saves = watchSaves(file);
    const from = performance.now();
    const killWhenDue = killer(() => child.kill('SIGKILL'));
    const { answers, failures } = await readUntilStopped(address, CLIENTS, count => {
      if (count % ANSWERS_PER_LOOK === 0) saves.look(count);
      killWhenDue(saves.seen());
    });
    milliseconds += performance.now() - from;
    all += answers;
    await exit;
    assert.deepEqual(
      failures.filter(failure => !/^(ECONNRESET|EPIPE|UND_ERR_SOCKET) /.test(failure)),
      [],
    );

    const kept = (await readsIn(file)) - before;
    const certain = saves.answersBefore(generationIn(file));
    assert.ok(kept >= certain, `round ${round}: ${kept} reads are kept, and ${certain} have to be`);
    assert.ok(kept <= answers + failures.length, `round ${round}: ${kept} kept of ${answers} answers`);
    losses.push(Math.max(answers - kept, 0));
    if (certain > 0) bounded += 1;
    before += kept;
  }
  tellLosses(t, losses, (all / milliseconds) * FLUSH_MS);
  t.diagnostic(`${before} reads are kept; in ${bounded} rounds there were some that could not be lost`);
  assert.ok(bounded > KILLS / 4, 'the kills came too early to say anything');
});

/** Kills at a random moment, once. */
function killer(kill: () => void) {
  const saves = Math.floor(Math.random() * (MOST_SAVES + 1));
  let answers = 1 + Math.floor(Math.random() * MOST_ANSWERS);
  return (savesSeen: number) => {
    if (savesSeen < saves) return;
    answers -= 1;
    if (answers === 0) kill();
  };
}

/** Looks at the file again and again, and remembers how many answers there were before each look. */
function watchSaves(file: string) {
  const first = generationIn(file);
  const looks = [{ answers: 0, generation: first }];
  return {
    look: (answers: number) => void looks.push({ answers, generation: generationIn(file) }),
    seen: () => (looks.at(-1)?.generation ?? first) - first,
    /** How many answers there were for sure before the save of this generation began. */
    answersBefore: (generation: number) =>
      looks.findLast(look => look.generation <= generation - 2)?.answers ?? 0,
  };
}

/** That of the file, or of the one before it between two renames; 0 where there is none. */
function generationIn(file: string): number {
  for (const name of [file, previousPath(file)]) {
    try {
      return JSON.parse(readFileSync(name, 'utf8')).generation;
    } catch (error) {
      if (!(error instanceof Error && 'code' in error && error.code === 'ENOENT')) throw error;
    }
  }
  return 0;
}

function tellLosses(t: TestContext, losses: number[], answersPerInterval: number): void {
  const tell = (loss = 0) => `${loss} (${Math.round((loss / answersPerInterval) * 100)}%)`;
  const sorted = losses.toSorted((one, other) => one - other);
  t.diagnostic(
    `of ${Math.round(answersPerInterval)} answers in an interval, median loss ${tell(sorted[Math.floor(sorted.length / 2)])}, largest ${tell(sorted.at(-1))}`,
  );
}

/** As a write leaves it that is cut short. */
const TORN = '{\n  "format": 1,\n  "gener';
/** Until when a call that was done is held; the kill comes before. */
const HELD = 'delay_exit=10000000';

test('a kill before or after any system call of a save loses nothing saved, and counts nothing twice', {
  skip: skipWithout('strace'),
  timeout: 200_000,
}, async t => {
  const { stateDir, file, temporary, previous, start } = await openShop(t);
  let saved = FLOOR;
  /** A new process on what the last one left, which saves one read, and another one under strace. */
  const begin = async (injection?: string) => {
    const found = (await countsIn(file)).get(1) ?? FLOOR;
    assert.ok(found === saved || found === saved + 1, `${found} found, ${saved} saved`);
    const process = await start(TRACEABLE);
    assert.equal(await process.read(), found + 1);
    await process.saved();
    saved = found + 1;
    await writeFile(temporary, TORN);
    const strace = await process.trace([stateDir, file, temporary, previous], injection);
    assert.equal(await process.read(), saved + 1);
    return { process, strace };
  };
  const record = async (): Promise<Call[]> => {
    const { process, strace } = await begin();
    await process.saved();
    await strace.detach();
    await process.kill();
    assert.equal((await countsIn(file)).get(1), saved + 1);
    return strace.calls;
  };
  const killBefore = async ({ name, number }: Call): Promise<Call | undefined> => {
    const { process, strace } = await begin(`${name}:signal=SIGKILL:when=${number}`);
    await process.exit;
    await strace.ended;
    return strace.calls.findLast(call => call.result === '?');
  };
  const killAfter = async ({ name, number }: Call): Promise<Call> => {
    const { process, strace } = await begin(`${name}:${HELD}:when=${number}`);
    const held = await strace.seen(() => strace.calls.find(call => call.result.includes('DELAYED')));
    process.child.kill('SIGKILL');
    // It holds the thread, and so the whole process, until the time is over or it ends.
    await strace.kill();
    await process.exit;
    return held;
  };

  const calls = await record();
  const labels = new Set(calls.map(call => call.label));
  for (const kill of [killBefore, killAfter]) {
    const hit = new Set<string>();
    for (const call of calls) hit.add((await kill(call))?.label ?? assert.fail(`no kill at ${call.label}`));
    assert.deepEqual([...hit].sort(), [...labels].sort());
  }
  t.diagnostic(
    `${2 * calls.length} kills, before and after ${labels.size} different calls: ${[...labels].join(', ')}`,
  );
  assert.ok(labels.size >= 8, 'a save has too few calls');
  await begin();
});
