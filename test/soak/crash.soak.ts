import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readdir, writeFile } from 'node:fs/promises';
import { basename } from 'node:path';
import { type TestContext, test } from 'node:test';
import { setTimeout as delay } from 'node:timers/promises';
import { previousPath } from '../../src/files/atomic-write.ts';
import { readUntilStopped } from '../support/process.ts';
import { skipWithout } from '../support/skipping.ts';
import { rounds } from '../support/soak.ts';
import {
  countsIn,
  FLOOR,
  FLUSH_MS,
  openCounts,
  openShop,
  readsIn,
  TRACEABLE,
} from '../support/state-shop.ts';
import type { Call } from '../support/strace.ts';

const KILLS = rounds(4, 100);
const CLIENTS = 100;
/** A kill comes so many answers, at random, after so many saves, in turn. */
const [MOST_ANSWERS, MOST_SAVES] = [500, 3];
const ANSWERS_PER_LOOK = 10;

test(`${KILLS} kills under ${CLIENTS} clients lose nothing that was read before the last save began`, {
  timeout: 900_000,
}, async t => {
  const { file, start } = await openShop(t);
  await openCounts(file).save(new Map());
  const losses: number[] = [];
  let [before, all, milliseconds, bounded] = [0, 0, 0, 0];
  for (let round = 0; round < KILLS; round += 1) {
    const { child, exit, address } = await start();
    const saves = watchSaves(file);
    const from = performance.now();
    const killWhenDue = killer(round % (MOST_SAVES + 1), () => child.kill('SIGKILL'));
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
    const certain = saves.answersBefore(savesIn(file));
    assert.ok(kept >= certain, `round ${round}: ${kept} reads are kept, and ${certain} have to be`);
    assert.ok(kept <= answers + failures.length, `round ${round}: ${kept} kept of ${answers} answers`);
    losses.push(Math.max(answers - kept, 0));
    if (certain > 0) bounded += 1;
    before += kept;
  }
  tellLosses(t, losses, (all / milliseconds) * FLUSH_MS);
  t.diagnostic(`${before} reads are kept; in ${bounded} rounds there were some that could not be lost`);
  assert.ok(bounded > 0, 'the kills came too early to say anything');
});

/** Kills at a random moment, once. */
function killer(saves: number, kill: () => void) {
  let answers = 1 + Math.floor(Math.random() * MOST_ANSWERS);
  return (savesSeen: number) => {
    if (savesSeen < saves) return;
    answers -= 1;
    if (answers === 0) kill();
  };
}

/** Looks at the files again and again, and remembers how many answers there were before each look. */
function watchSaves(file: string) {
  const first = savesIn(file);
  const looks = [{ answers: 0, saves: first }];
  return {
    look: (answers: number) => void looks.push({ answers, saves: savesIn(file) }),
    seen: () => (looks.at(-1)?.saves ?? first) - first,
    /** How many answers there were for sure before the save of this number began. */
    answersBefore: (saves: number) => looks.findLast(look => look.saves <= saves - 2)?.answers ?? 0,
  };
}

/** A number that grows with every save. */
function savesIn(file: string): number {
  return JSON.parse(readIfAny(file) ?? readIfAny(previousPath(file)) ?? '{"generation":0}').generation;
}

function readIfAny(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined;
    throw error;
  }
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
/** The watch of the history, which begins at some time after the start, looks at the state directory; no save does. */
const LOOKS_OF_WATCH = ['readlink state', 'statx state'];
/** A call that does not come within this time has another number this time. */
const PATIENCE_MS = rounds(3000, 8000);
/** The looks of an interval shift the numbers of calls, or take their place: those that were missed are tried again. */
const SHIFTS = [0, 0, 0, 1, -1, 2, -2, 0, 0].slice(0, rounds(3, 9));
/** The usual form kills before the first, fifth, … call and after the second, sixth, … */
const EVERY = rounds(4, 1);

for (const kind of ['a save', 'a stop'] as const) {
  test(`a kill before or after any system call of ${kind} loses nothing saved, and counts nothing twice`, {
    skip: skipWithout('strace'),
    timeout: 600_000,
  }, async t => {
    const { file, temporary, start, stateDir, previous } = await openShop(t);
    const files = [stateDir, file, temporary, previous];
    await openCounts(file).save(new Map());
    let saved = FLOOR;
    /** A new process on what the last one left, that saves one more read under strace, and stops if the kind says so. */
    const begin = async (injection?: string) => {
      const found = (await countsIn(file)).get(1) ?? FLOOR;
      assert.ok(found === saved || found === saved + 1, `${found} found, ${saved} saved`);
      saved = found;
      const process = await start(TRACEABLE);
      await writeFile(temporary, TORN);
      const strace = await process.trace(files, injection);
      // The look at the file that each interval takes may come, and the kill with it, before the answer.
      assert.equal(await process.read().catch(() => saved + 1), saved + 1);
      if (kind === 'a stop') process.child.kill('SIGTERM');
      return { process, strace };
    };
    const record = async (): Promise<Call[]> => {
      const { process, strace } = await begin();
      saved += 1;
      if (kind === 'a save') {
        await process.saved();
        await strace.detach();
        await process.kill();
      } else {
        await process.exit;
        await strace.ended;
        assert.deepEqual((await readdir(stateDir)).sort(), [
          'history',
          'lock',
          ...[file, previous].map(name => basename(name)),
        ]);
      }
      assert.equal((await countsIn(file)).get(1), saved);
      return strace.calls.filter(({ label }) => !LOOKS_OF_WATCH.includes(label));
    };
    const killBefore = async ({ name, number }: Call): Promise<Call | undefined> => {
      const { process, strace } = await begin(`${name}:signal=SIGKILL:when=${number}`);
      await Promise.race([process.exit, delay(PATIENCE_MS)]);
      await process.kill();
      await strace.ended;
      return strace.calls.findLast(call => call.result === '?');
    };
    const killAfter = async ({ name, number }: Call): Promise<Call | undefined> => {
      const { process, strace } = await begin(`${name}:${HELD}:when=${number}`);
      const isHeld = () => strace.calls.find(call => call.result.includes('DELAYED'));
      // A stop without the call ends the process, and strace with it.
      const seen = strace.seen(isHeld).catch(() => undefined);
      const held = await Promise.race([seen, delay(PATIENCE_MS, undefined)]);
      process.child.kill('SIGKILL');
      // It holds the thread, and so the whole process, until the time is over or it ends.
      await strace.kill();
      await process.exit;
      return held;
    };

    const calls = await record();
    const labels = [...new Set(calls.map(call => call.label))];
    assert.ok(labels.length >= 8, 'it has too few calls');
    for (const [turn, kill] of [killBefore, killAfter].entries()) {
      const due = labels.filter((_, index) => index % EVERY === turn % EVERY);
      const hit = new Set<string>();
      for (const shift of SHIFTS)
        for (const call of calls.filter(({ label }) => due.includes(label) && !hit.has(label))) {
          const label = (await kill({ ...call, number: Math.max(1, call.number + shift) }))?.label;
          if (label) hit.add(label);
        }
      t.diagnostic(`killed ${['before', 'after'][turn]} ${[...hit].join(', ')}`);
      // Which calls have which number is up to the scheduler, so that some may be missed.
      t.diagnostic(`missed: ${due.filter(label => !hit.has(label)).join(', ') || 'none'}`);
      assert.ok(hit.size > 0, 'no call was hit');
    }
    await begin();
  });
}
