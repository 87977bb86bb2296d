import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { type TestContext, test } from 'node:test';
import { previousPath } from '../../src/files/atomic-write.ts';
import { readUntilStopped } from '../support/process.ts';
import { rounds } from '../support/soak.ts';
import { FLUSH_MS, openCounts, openShop, readsIn } from '../support/state-shop.ts';

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
