import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { shop, writeFiles } from '../support/catalogs.ts';
import { readUntilStopped, startProcess } from '../support/process.ts';
import { rounds } from '../support/soak.ts';

const ROUNDS = rounds(2, 15);
const CLIENTS = 50;

test(`${ROUNDS} stops under ${CLIENTS} keep-alive clients: every read is in the file, none twice`, async t => {
  const dir = await writeFiles(t, shop);
  const stateDir = join(dir, 'state');
  let answers = 0;
  for (let round = 0; round < ROUNDS; round += 1) {
    const { child, exit, listening } = startProcess(t, [
      '--port',
      '0',
      '--catalog-dir',
      dir,
      '--state-dir',
      stateDir,
    ]);
    const address = await listening();
    const stopAt = 500 + Math.floor(Math.random() * 3000);
    const read = await readUntilStopped(address, CLIENTS, count => {
      if (count === stopAt) child.kill(round % 2 === 0 ? 'SIGTERM' : 'SIGINT');
    });
    assert.deepEqual(read.failures, [], `round ${round}`);
    answers += read.answers;
    assert.equal((await exit).code, 0);
    const { counts } = JSON.parse(await readFile(join(stateDir, 'read-counts.json'), 'utf8'));
    const floor = 100;
    const counted = Object.values<number>(counts).reduce((sum, count) => sum + count, -floor);
    assert.equal(counted, answers, `round ${round}`);
  }
});
