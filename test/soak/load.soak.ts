import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { shop, shopWith, writeFiles } from '../support/catalogs.ts';
import { readUntilStopped, startProcess } from '../support/process.ts';
import { startService } from '../support/service.ts';
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

/** Digits that look random and are the same in every run. */
function digits(seed: string, count: number): string {
  return BigInt(`0x${createHash('sha256').update(seed).digest('hex')}`)
    .toString()
    .slice(0, count);
}

test('each of 20,000 generated prices of every length is served with its own digits', async t => {
  const prices = Array.from({ length: 20_000 }, (_, index) => {
    const places = index % 9;
    const whole = `${1 + (index % 9)}${digits(`whole ${index}`, index % (15 - places))}`;
    const fraction = places === 0 ? '' : `.${digits(`fraction ${index}`, places)}`;
    return {
      ids: [1, 1 + Math.floor(index / 100), 1 + (index % 100)] as const,
      text: whole + fraction,
      served: fraction === '' ? whole : `${whole}${fraction}`.replace(/\.?0+$/, ''),
    };
  });
  const rows = prices.map(({ ids, text }, index) => [index + 1, ...ids, text].join());
  const configurations = Array.from({ length: 200 }, (_, index) => `${index + 1},1,C${index},1,1`);
  const durations = Array.from({ length: 100 }, (_, index) => `${index + 1},D${index},${index + 1},day`);
  const { ask } = await startService(
    t,
    shopWith({
      'configurations.csv': ['id,product_id,name,cpu,memory', ...configurations].join('\n'),
      'durations.csv': ['id,name,num,unit', ...durations].join('\r\n'),
      'prices.csv': ['id,product_id,rel_id,duration_id,price', ...rows].join('\n'),
    }),
  );
  for (const [index, { ids, served }] of prices.entries()) {
    const [product, configuration, duration] = ids;
    const { text } = await ask(
      `/api/recommend-config/price?product_id=${product}&recommend_config_id=${configuration}&duration_id=${duration}`,
    );
    const expected = `"data":{"id":${index + 1},"product_id":1,"rel_id":${configuration},"duration_id":${duration},"price":${served},`;
    assert.ok(text.includes(expected), `${text} instead of ${expected}`);
  }
});
