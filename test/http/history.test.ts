import assert from 'node:assert/strict';
import { readdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { runCommand } from '../support/command.ts';
import { drastic, priced, startHistory } from '../support/http/histories.ts';
import { until } from '../support/until.ts';

test('the history lists what vitrine history lists, newest first, and what is served', async t => {
  const { ask, stateDir, versions } = await startHistory(t, [priced('24.99'), priced('29.99')]);
  const { status, headers, data } = await ask('/history');
  const { stdout } = await runCommand(['history', '--json', '--state-dir', stateDir]);
  assert.equal(data.list[0].state, 'served');
  assert.deepEqual({ list: data.list, held: null }, JSON.parse(stdout));
  assert.deepEqual(
    data.list.map(({ version, changes, rows }: Record<string, unknown>) => [version, changes, rows]),
    versions.map((version, index) => [version, index === 0 ? null : '1 price changed', 28]).reverse(),
  );
  assert.deepEqual([data.pagination, data.held], [{ current_page: 1, total: 3 }, null]);
  assert.deepEqual([status, headers['cache-control'], headers.etag], [200, 'no-store', undefined]);
});

test('the history has pages, and marks what is served on its page only', async t => {
  const { ask, versions } = await startHistory(t, [priced('24.99'), priced('19.99')]);
  assert.equal(versions[0], versions[2]);
  const [first, second, past] = await Promise.all(
    [1, 2, 3].map(page => ask(`/history?page=${page}&limit=2`)),
  );
  const of = (answer: typeof first) =>
    answer?.data.list.map(({ version, state }: Record<string, unknown>) => [version, state]);
  assert.deepEqual(of(first), [
    [versions[2], 'served'],
    [versions[1], undefined],
  ]);
  assert.deepEqual(of(second), [[versions[0], undefined]]);
  assert.deepEqual([of(past), past?.data.pagination], [[], { current_page: 3, total: 3 }]);
  assert.equal(first?.headers.link, '<?page=2&limit=2>; rel="next"');
  assert.equal((await ask('/history?limit=0')).data.error, 'INVALID_PARAMETER');
  const head = await ask('/history', { method: 'HEAD' });
  assert.deepEqual([head.status, head.text], [200, '']);
});

test('the history has the set that is held back, with the reasons', async t => {
  const { ask, hold } = await startHistory(t, []);
  const version = await hold();
  const { held, list } = (await ask('/history')).data;
  const { since, files, ...others } = held;
  assert.match(since, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  assert.deepEqual(others, {
    version,
    rows: 22,
    changes: '6 prices removed',
    reasons: [{ code: 'LOST_ROWS', message: '6 of 7 prices would disappear: save the whole file again' }],
  });
  assert.deepEqual(
    files.find(({ catalog }: { catalog: string }) => catalog === 'prices'),
    {
      ...{ catalog: 'prices', file: 'prices.csv', rows: 2 },
      bytes: Buffer.byteLength(String(drastic['prices.csv'])),
    },
  );
  assert.equal(list.length, 1);
});

test('a damaged entry is left out and set aside; one of a newer Vitrine is an error without a path', async t => {
  const { ask, stateDir, versions } = await startHistory(t, [priced('24.99')]);
  const dir = join(stateDir, 'history');
  const [oldest = ''] = (await readdir(dir)).filter(name => name.endsWith('.json')).sort();
  await writeFile(join(dir, oldest), 'damaged');
  const { data } = await ask('/history');
  assert.deepEqual([data.list.length, data.list[0].version], [1, versions[1]]);
  assert.ok((await readdir(dir)).includes(`${oldest}.damaged`));
  await writeFile(join(dir, oldest), JSON.stringify({ format: 2, version: '9.0.0' }));
  const newer = await ask('/history');
  assert.deepEqual([newer.status, newer.data.error], [500, 'HISTORY_UNAVAILABLE']);
  assert.match(
    newer.body.message,
    /^the history in the state directory cannot be used: 000001-\w+\.json has format 2, .*: use a newer Vitrine$/,
  );
});

test('what is pinned is marked as such, and what cannot be served is not', async t => {
  const { ask, post, serves, controlFile, stateDir, versions } = await startHistory(t, [priced('24.99')]);
  const [one = ''] = versions;
  await post(`/history/${one}/pin`);
  await serves(one);
  // The version that is served again is the newest of the history.
  const state = () =>
    until(t, async () => {
      const { list } = (await ask('/history')).data;
      return list[0].state === 'pinned' ? list : undefined;
    });
  assert.equal((await state())[0].version, one);
  assert.equal(await controlFile('pin'), `${one}\n`);
  await writeFile(join(stateDir, 'history', 'pin'), 'abcdef012345\n');
  await until(t, async () => {
    const { pinned } = (await ask('/health')).data;
    return pinned.version === 'abcdef012345' ? true : undefined;
  });
  assert.equal((await ask('/history')).data.list[0].state, 'served');
});
