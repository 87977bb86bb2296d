import assert from 'node:assert/strict';
import { readdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemFs } from '../../src/files/atomic-write.ts';
import { historyPath } from '../../src/history/entries.ts';
import { findVersion } from '../../src/history/versions.ts';
import { openHistoryReader } from '../../src/live/history-reader.ts';
import { compareSides } from '../../src/reader/sides.ts';
import { type Files, shop } from '../support/catalogs.ts';
import { priced, startHistory } from '../support/http/histories.ts';
import { bearer } from '../support/http/previews.ts';
import { startProcess } from '../support/process.ts';
import { endIdleReaders } from '../support/reader-pool.ts';
import { startService } from '../support/service.ts';

const news = shop['news.json'] as object[];
/** Changes of every kind: a whole file, a column, hidden rows, a long text, and prices. */
const much: Files = {
  ...priced('24.99'),
  'durations.json': null,
  'configurations.csv': String(shop['configurations.csv']).replace('Secret', 'Classified'),
  'news.json': [{ ...news[0], content: 'x'.repeat(1000) }, ...news.slice(1)],
};

type Named = { names?: object };

/** The changes without the names, which `vitrine diff` does not have. */
function unnamed(list: readonly Named[]): object[] {
  return list.map(({ names: _names, ...others }) => others);
}

test('compares any two sets as vitrine diff --json does', async t => {
  const { ask, versions, stateDir, catalogDir } = await startHistory(t, [much], { holdBack: 'off' });
  const [one = '', two = ''] = versions;
  for (const [from, to, ...args] of [
    [one, two, one, two],
    [two, one, two, one],
    [one.slice(0, 6), 'served', one, two],
    ['served', one, two, one],
    ['served', two, two, two],
  ] as const) {
    const { status, headers, data } = await ask(`/history/changes?from=${from}&to=${to}&limit=100`);
    const dirs = ['--state-dir', stateDir, '--images-dir', catalogDir];
    const { stdout } = await startProcess(t, ['diff', ...args, '--json', ...dirs]).exit;
    const { changes, catalogs, summary } = JSON.parse(stdout);
    assert.deepEqual(
      { ...data, list: unnamed(data.list) },
      {
        list: changes,
        pagination: { current_page: 1, total: changes.length },
        ...{ from: args[0], to: args[1], summary, catalogs },
      },
    );
    assert.deepEqual([status, headers['cache-control'], headers.etag], [200, 'no-store', undefined]);
  }
});

test('compares with the set that is held back, until the files are others', async t => {
  const { ask, hold, versions, stateDir, catalogDir, settings } = await startHistory(t, []);
  const [one = ''] = versions;
  const nothing = await ask(`/history/changes?from=${one}&to=held`);
  assert.deepEqual([nothing.status, nothing.data.error], [404, 'NOTHING_HELD']);
  const held = await hold();
  const { data } = await ask('/history/changes?from=served&to=held&limit=2');
  const args = ['diff', one, catalogDir, '--json', '--state-dir', stateDir, '--images-dir', catalogDir];
  const { changes, catalogs, summary } = JSON.parse((await startProcess(t, args).exit).stdout);
  assert.deepEqual(
    { ...data, list: unnamed(data.list) },
    {
      list: changes.slice(0, 2),
      pagination: { current_page: 1, total: 6 },
      ...{ from: one, to: held, summary, catalogs },
    },
  );
  const names = data.list.map(({ names }: Named) => Object.values(names ?? {}).join());
  assert.deepEqual(names, ['Cloud server,Small,Yearly', 'Cloud server,Small,Hourly']);
  const back = await ask('/history/changes?from=held&to=served');
  assert.equal(back.data.summary, '6 prices added');
  const entry = await findVersion(systemFs, historyPath(stateDir), one, () => {});
  await assert.rejects(
    compareSides(settings, { held: entry.files }, entry, () => {}),
    { message: 'the files have changed since they were held back' },
  );
});

test('the last comparison is kept for its further pages, which stay those of the same two', async t => {
  const { ask, versions, stateDir } = await startHistory(t, [much, priced('29.99')], { holdBack: 'off' });
  const [one, two, three] = versions;
  const first = await ask(`/history/changes?from=${one}&to=served&limit=2`);
  const { total } = first.data.pagination;
  assert.equal(first.headers.link, `<?page=2&limit=2&from=${one}&to=${three}>; rel="next"`);
  const files = join(stateDir, 'history', 'files');
  const contents = await readdir(files);
  for (const name of contents) await rm(join(files, name));
  const pages = await Promise.all(
    [2, 3].map(page => ask(`/history/changes?page=${page}&limit=2&from=${one}&to=${three}`)),
  );
  const whole = await ask(`/history/changes?from=${one}&to=${three}&limit=100`);
  assert.equal(whole.data.list.length, total);
  assert.deepEqual(
    pages.flatMap(({ data }) => data.list),
    whole.data.list.slice(2, 6),
  );
  const failed = await ask(`/history/changes?from=${one}&to=${two}`);
  assert.deepEqual([failed.status, failed.data.error], [500, 'COMPARISON_FAILED']);
  assert.match(
    failed.body.message,
    /^the versions cannot be compared: \w+ of version \w{12} cannot be read any more$/,
  );
  // The memory of the former one was needed.
  assert.equal((await ask(`/history/changes?from=${one}&to=${three}`)).status, 500);
});

test('one comparison at a time: another one is refused, and the same one waits', async t => {
  const { ask, versions } = await startHistory(t, [priced('24.99')]);
  const [one, two] = versions;
  endIdleReaders();
  const answers = await Promise.all([
    ask(`/history/changes?from=${one}&to=${two}`),
    ask(`/history/changes?from=${one}&to=${two}&page=2`),
    ask(`/history/changes?from=${two}&to=${one}`),
  ]);
  const outcomes = answers.map(({ status, data }) => data.error ?? status);
  // Whichever comparison begins first.
  const expected = outcomes[2] === 200 ? ['COMPARING', 'COMPARING', 200] : [200, 200, 'COMPARING'];
  assert.deepEqual(outcomes, expected);
  const refused = answers.find(({ status }) => status === 503);
  assert.equal(refused?.headers['retry-after'], '1');
  assert.equal((await ask(`/history/changes?from=${two}&to=${one}`)).status, 200);
});

test('refuses what is not in the history, and parameters that are missing', async t => {
  const { ask, versions } = await startHistory(t, []);
  const [one = ''] = versions;
  const swapped = `${one.slice(1)}${one[0]}`;
  for (const [query, status, message] of [
    [`from=${swapped}&to=served`, 404, `version ${swapped} is not in the history: did you mean ${one}?`],
    [`from=served&to=../x`, 404, `version ../x is not in the history: the newest is ${one}`],
    ['from=served', 400, 'to is required: a text of at most 64 characters'],
    [`from=${'a'.repeat(65)}&to=served`, 400, 'from must be a text of at most 64 characters'],
    ['from=served&to=served&limit=101', 400, 'limit must be a whole number from 1 to 100'],
  ] as const) {
    const answer = await ask(`/history/changes?${query}`);
    assert.deepEqual([answer.status, answer.body.message], [status, message]);
  }
});

test('a comparison that takes too much memory, or is under way when the service stops, ends', async t => {
  const { ask, app, versions, settings, stateDir } = await startHistory(t, [priced('24.99')]);
  const [one = '', two = ''] = versions;
  const dir = historyPath(stateDir);
  const entry = await findVersion(systemFs, dir, one, () => {});
  const reader = openHistoryReader({ ...settings, loadMemoryMb: 30 }, () => {});
  await assert.rejects(reader.compare(entry, entry), /more than 30 MB/);
  reader.close();
  endIdleReaders();
  const answering = ask(`/history/changes?from=${one}&to=${two}`);
  await new Promise(setImmediate);
  const [answer] = await Promise.all([answering, app.close()]);
  assert.deepEqual([answer.status, answer.data.error], [503, 'STOPPING']);
});

test('a damaged entry is named as such', async t => {
  const { app, versions, settings, stateDir } = await startHistory(t, [priced('24.99')]);
  // Whatever reads the damaged entry sets it aside: keeping a set does, and a start with that set does not.
  await app.close();
  const dir = join(stateDir, 'history');
  const [oldest = ''] = (await readdir(dir)).filter(name => name.endsWith('.json')).sort();
  await writeFile(join(dir, oldest), 'damaged');
  const { ask } = await startService(t, {}, settings);
  const { status, body } = await ask(`/history/changes?from=${versions[0]}&to=served`, { headers: bearer });
  assert.deepEqual([status, body.message], [409, `version ${versions[0]} of the history is damaged`]);
});
