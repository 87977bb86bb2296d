import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { request } from 'undici';
import { readUntilStopped } from '../support/process.ts';
import { rounds } from '../support/soak.ts';
import { openCounts, openShop, readsIn } from '../support/state-shop.ts';

const KILLS = rounds(4, 100);
const CLIENTS = 100;
/** A kill comes so many answers, at random, after so many saves, in turn. */
const [MOST_ANSWERS, MOST_SAVES] = [500, 3];

test(`${KILLS} kills under ${CLIENTS} clients lose nothing that was read before the last save began`, {
  timeout: 900_000,
}, async t => {
  const { file, previous, start } = await openShop(t);
  await openCounts(file).save(new Map());
  /** A number that grows with every save. Between two renames, only the file before it is there. */
  const savesOnDisk = (): number => {
    for (const path of [file, previous, file])
      try {
        return JSON.parse(readFileSync(path, 'utf8')).generation;
      } catch {}
    return assert.fail('no file can be read');
  };
  let [before, bounded] = [0, 0];
  for (let round = 0; round < KILLS; round += 1) {
    const { child, exit, address } = await start();
    const first = savesOnDisk();
    /** How many answers there were when each number of saves was last seen. */
    const answersBefore = new Map([[first, 0]]);
    let answersLeft = 1 + Math.floor(Math.random() * MOST_ANSWERS);
    const { answers, failures } = await readUntilStopped(address, CLIENTS, count => {
      const saves = savesOnDisk();
      answersBefore.set(saves, count);
      if (saves - first >= round % (MOST_SAVES + 1)) answersLeft -= 1;
      if (answersLeft === 0) child.kill('SIGKILL');
    });
    await exit;
    assert.deepEqual(
      failures.filter(failure => !/^(ECONNRESET|EPIPE|UND_ERR_SOCKET) /.test(failure)),
      [],
    );

    const kept = (await readsIn(file)) - before;
    // What was answered while the save before the last was not on the disk yet, the last one has.
    const last = savesOnDisk();
    const certain = Math.max(...[...answersBefore].map(([saves, count]) => (saves <= last - 2 ? count : 0)));
    assert.ok(kept >= certain, `round ${round}: ${kept} reads are kept, and ${certain} have to be`);
    assert.ok(kept <= answers + failures.length, `round ${round}: ${kept} kept of ${answers} answers`);
    if (certain > 0) bounded += 1;
    before += kept;
  }
  t.diagnostic(`${before} reads are kept; in ${bounded} rounds there were some that could not be lost`);
  assert.ok(bounded > 0, 'the kills came too early to say anything');
});

test('a stop ends while nobody reads the log', { timeout: 300_000 }, async t => {
  const { child, address } = await (await openShop(t)).start({ LOG_LEVEL: 'debug' });
  child.stdout?.pause();
  await Promise.all(Array.from({ length: 1000 }, () => request(address).then(({ body }) => body.dump())));
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
});
