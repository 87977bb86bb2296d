import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { request } from 'undici';
import { afterTest } from './support/after-test.ts';
import { type Files, shop, shopWith, writeFiles } from './support/catalogs.ts';
import { readUntilStopped, startProcess } from './support/process.ts';
import { until } from './support/until.ts';

async function serveArguments(t: TestContext, files: Files = shop): Promise<string[]> {
  const dir = await writeFiles(t, files);
  return ['--port', '0', '--catalog-dir', dir, '--images-dir', dir, '--state-dir', join(dir, 'state')];
}

async function countsIn(args: string[]): Promise<Record<string, number>> {
  return JSON.parse(await readFile(join(args.at(-1) ?? '', 'read-counts.json'), 'utf8')).counts;
}

test('after a signal the reads are in the file, and the next start continues from them', async t => {
  const args = await serveArguments(t);
  for (const [signal, read] of [
    ['SIGTERM', 101],
    ['SIGINT', 103],
  ] as const) {
    const { child, exit, listening } = startProcess(t, [
      ...args.slice(0, -2),
      '--flush-interval-ms',
      '3600000',
      ...args.slice(-2),
    ]);
    const address = await listening();
    const answers = [];
    for (let count = 0; count < 2; count += 1) {
      const { statusCode, body } = await request(`${address}/api/news/1`);
      assert.equal(statusCode, 200);
      answers.push(((await body.json()) as { data: { read: number } }).data.read);
    }
    assert.deepEqual(answers, [read, read + 1]);
    child.kill(signal);
    assert.deepEqual(await exit.then(({ code, stderr }) => ({ code, stderr })), { code: 0, stderr: '' });
    assert.deepEqual(await countsIn(args), { 1: read + 1 });
  }
});

test('reads are in the file one flush interval later, without a signal', async t => {
  const args = await serveArguments(t);
  const { listening } = startProcess(t, ['--flush-interval-ms', '20', ...args]);
  const address = await listening();
  await request(`${address}/api/news/2`).then(({ body }) => body.dump());
  const counts = await until(t, () => countsIn(args).catch(() => undefined));
  assert.deepEqual(counts, { 2: 1 });
});

test('after SIGTERM under load, the file has as many reads as were answered', async t => {
  const args = await serveArguments(t);
  // Clients that do not run for as long as it drains meet with a reset, whatever the service does.
  const { child, exit, listening } = startProcess(t, ['--drain-ms', '2000', ...args]);
  const address = await listening();
  const { answers, failures } = await readUntilStopped(address, 20, count => {
    if (count === 2000) child.kill('SIGTERM');
  });
  assert.deepEqual(failures, []);
  assert.equal((await exit).code, 0);
  const floors: Record<string, number> = { 1: 100 };
  const counted = Object.entries(await countsIn(args)).map(([id, count]) => count - (floors[id] ?? 0));
  assert.ok(answers >= 2000);
  assert.equal(
    counted.reduce((sum, count) => sum + count, 0),
    answers,
  );
});

test('all problems of a broken set are printed on standard error, and the exit code is 1', async t => {
  const args = await serveArguments(
    t,
    shopWith({ 'prices.csv': 'id,product_id,rel_id,duration_id,price\n1,1,11,1,"1,928"\n2,1,99,1,7\n' }),
  );
  const { code, stdout, stderr } = await startProcess(t, args).exit;
  assert.equal(code, 1);
  assert.doesNotMatch(stdout, /listening on|"level":[456]0/);
  assert.match(
    stderr,
    /^prices\.csv:2:10: error AMBIGUOUS_NUMBER E2, price "1,928" may be 1928, .*\nprices\.csv:3:5: error UNKNOWN_REFERENCE .*\n/m,
  );
  assert.match(stderr, /\nrefused: 2 errors, \d+ warnings in 6 files with 22 rows\n$/);
  assert.doesNotMatch(stderr, /\bat .*\.ts/);
});

test('a start that fails says why in one sentence, and the exit code is 1, or 2 for wrong usage', async t => {
  const taken = createServer().listen(0, '127.0.0.1');
  afterTest(t, () => taken.close());
  await once(taken, 'listening');
  const address = taken.address();
  const port = typeof address === 'object' ? String(address?.port) : '';
  const args = await serveArguments(t);
  const stateDir = args.at(-1) ?? '';
  const cases: [args: string[], message: RegExp, code?: number][] = [
    [['--port', 'x'], /^--port: expected .*\nRun 'vitrine --help' for usage\.\n$/, 2],
    [
      [...args, '--port', port],
      new RegExp(
        `^cannot listen on 127\\.0\\.0\\.1 port ${port}: the port is in use; choose another with --port\n$`,
      ),
    ],
    [
      [...args, '--host', '192.0.2.1'],
      /^cannot listen on 192\.0\.2\.1 port 0: Error: listen EADDRNOTAVAIL.*\n$/,
    ],
    [
      [...args, '--state-dir', join(stateDir, '..', 'prices.csv')],
      /^the state directory .*prices\.csv cannot be created: EEXIST.*\n$/,
    ],
  ];
  for (const [caseArgs, message, code = 1] of cases) {
    const exit = await startProcess(t, caseArgs).exit;
    assert.deepEqual([exit.code, exit.stdout.includes('listening')], [code, false]);
    assert.match(exit.stderr, message);
  }
});
