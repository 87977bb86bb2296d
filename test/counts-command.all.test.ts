import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { packageVersion } from '../src/package-version.ts';
import { newSite, run } from './export/site.ts';
import { writeFiles } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';
import { resolving, startProcess } from './support/process.ts';
import { stores } from './support/stores.ts';

/** Runs `vitrine counts`; `input` is its standard input. */
const counts = (args: string[], input?: string) => runCommand(['counts', ...args], {}, input);

/** Counts in a file of a new state directory, and the flag that names it. */
async function inFile(t: TestContext) {
  const store = await (stores[0] ?? assert.fail()).start(t);
  return { ...store, stateDir: store.place.stateDir, at: ['--state-dir', store.place.stateDir] };
}

const NEWER = '{"format": 2, "version": "7.1.0", "counts": {"1": 5}}';
const NUMBERS = '{"1": 500, "7": 3, "9007199254740991": 1}';

for (const { name, skip, start } of stores) {
  test(`counts are raised to those of a file or of standard input, and exported from ${name} as they are`, {
    skip,
  }, async t => {
    const { place, open } = await start(t);
    const counter = await open();
    for (const floor of [399, 0]) await counter.raise(1, floor);
    await counter.raise(2, 0);
    await counter.close();
    const at = ['--state-dir', place.stateDir, ...place.redisUrl.flatMap(url => ['--redis-url', url])];
    const file = join(await writeFiles(t, { 'old.json': `{"format": 1, "counts": ${NUMBERS}}` }), 'old.json');
    const importing = async (from: string, input: string, sentence: string) =>
      assert.deepEqual(await counts(['import', from, ...at], input), {
        ...{ code: 0, stdout: `${sentence} of them larger than before\n`, stderr: '' },
      });
    await importing(file, '', `3 read counts in ${file}, 3`);
    await importing('-', NUMBERS, '3 read counts in standard input, 0');
    await importing('-', '{"1": 1, "7": 4}', '2 read counts in standard input, 1');
    const { stdout } = await counts(['export', ...at]);
    const stored = { 1: 500, 2: 1, 7: 4, 9007199254740991: 1 };
    assert.deepEqual(JSON.parse(stdout), { format: 1, counts: stored });
    await importing('-', stdout, '4 read counts in standard input, 0');
    const next = await open();
    assert.deepEqual([next.shown(1, 0), next.shown(7, 0)], [500, 4]);
    await next.close();
    const site = await newSite(t);
    await run({ ...site, stateDir: place.stateDir }, {}, at.slice(2));
    const exported = await readFile(join(site.dir, 'api/news/1.json'), 'utf8');
    assert.equal(JSON.parse(exported).data.read, 500);
  });
}

test('counts can be exported while a service runs, but not imported', async t => {
  const { open, at } = await inFile(t);
  const counter = await open();
  await counter.raise(1, 0);
  await counter.flush();
  assert.match((await counts(['export', ...at])).stdout, /"1": 1/);
  const refused = await counts(['import', '-', ...at], NUMBERS);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^the state directory .* is in use by another service of this process: .*\n$/);
});

test('a count is set, also to a smaller one, without a service', async t => {
  const { stateDir, open, at } = await inFile(t);
  assert.equal((await counts(['set', '12', '103', ...at])).stdout, 'news item 12: 0 → 103\n');
  const { stdout } = await counts(['set', '12', '50', ...at]);
  assert.equal(stdout, 'news item 12: 103 → 50; if the catalog has a larger "read", that is shown\n');
  const names = ['lock', 'read-counts.json', 'read-counts.json.prev'];
  assert.deepEqual((await readdir(stateDir)).sort(), names);
  const path = join(stateDir, 'read-counts.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"counts": {', '"counts": {"3": 3,'));
  const counter = await open();
  assert.deepEqual([counter.shown(12, 0), counter.shown(3, 0)], [50, 3]);
});

test('a count is set while a service runs, and goes on from there after it ends in any way', async t => {
  const { open, saved, at } = await inFile(t);
  const counter = await open(20);
  for (let read = 1; read <= 5; read += 1) await counter.raise(7, 0);
  await counter.flush();
  const revision = counter.revision();
  const { code, stdout } = await counts(['set', '7', '2', ...at]);
  assert.equal(code, 0);
  assert.match(stdout, /^news item 7: 5 → 2;/);
  assert.notEqual(counter.revision(), revision);
  assert.deepEqual(await saved(), { 7: 2 });
  assert.equal(await counter.raise(7, 0), 3);
  await counter.close();
  const next = await open();
  assert.equal(next.shown(7, 0), 3);
});

test('an order that no service takes is withdrawn, and one that waits is not replaced', async t => {
  const { stateDir, open, at } = await inFile(t);
  await open();
  at.push('--flush-interval-ms', '10');
  const { code, stdout, stderr } = await counts(['set', '7', '2', ...at]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^the service on .* did not set the count: [^\n]*\n$/);
  const order = join(stateDir, 'read-counts.json.set');
  await writeFile(order, '{"1":');
  const other = await counts(['set', '7', '2', ...at]);
  assert.equal(other.code, 1);
  assert.match(other.stderr, /^another "vitrine counts set" has not ended: .*read-counts\.json\.set\n$/);
  assert.equal(await readFile(order, 'utf8'), '{"1":');
});

test('an id or a count that is none is wrong usage', async () => {
  for (const args of ['0 1', 'a 1', '1 1.5', '1 9007199254740992', '1 ']) {
    const { code, stderr } = await counts(['set', ...args.split(' ')]);
    assert.equal(code, 2, args);
    assert.match(stderr, /^counts set: expected (ID|N) to be a whole number from [01] to 9007199254740991/);
  }
});

test('a broken file and one in a newer format are neither exported nor imported nor touched', async t => {
  const problem = `has format 2, written by Vitrine 7.1.0, but Vitrine ${packageVersion()} reads format 1: use a newer Vitrine`;
  const stateDir = await writeFiles(t, {});
  const at = ['--state-dir', stateDir];
  const path = join(stateDir, 'read-counts.json');
  for (const [text, commands, stderr] of [
    ['{', [['export']], `${path} is broken: `],
    [NEWER, [['export'], ['import', '-']], `${path} ${problem}\n`],
  ] as const) {
    await writeFile(path, text);
    for (const command of commands) {
      const refused = await counts([...command, ...at], NUMBERS);
      assert.deepEqual([refused.code, refused.stdout], [1, '']);
      assert.ok(refused.stderr.startsWith(stderr), refused.stderr);
    }
    assert.equal(await readFile(path, 'utf8'), text);
    assert.ok(!(await readdir(stateDir)).includes('read-counts.json.prev'));
  }
});

test('what is no counts file and a missing Redis are reported in one sentence', async t => {
  const at = ['--state-dir', await writeFiles(t, {})];
  const redis = ['--redis-url', 'redis://127.0.0.1:1'];
  const expected = 'standard input: expected read counts such as {"counts": {"12": 103}}, but ';
  for (const [args, input, sentence] of [
    [['import', '-', ...at], '', `${expected}Unexpected end of JSON`],
    [['import', '-', ...at], '[]', `${expected}it is not an object`],
    [['import', '-', ...at], '{"1": -1}', `${expected}expected a news id and a whole number, got "1": -1`],
    [['import', '-', ...at], NEWER, 'standard input has format 2, written by Vitrine 7.1.0, but '],
    [['import', '/nowhere/c.json', ...at], '', 'cannot read /nowhere/c.json: no such file or directory'],
    [['import', '-', ...redis], NUMBERS, 'Redis failed: connect ECONNREFUSED 127.0.0.1:1\n'],
    [['export', ...redis], '', 'Redis failed: connect ECONNREFUSED 127.0.0.1:1\n'],
  ] as const) {
    const { code, stdout, stderr } = await counts([...args], input);
    assert.deepEqual([code, stdout], [1, '']);
    assert.ok(stderr.startsWith(sentence), stderr);
    assert.equal(stderr.indexOf('\n'), stderr.length - 1);
  }
});

test('without ioredis, REDIS_URL says what to install, and nothing else needs it', async t => {
  const hide = "throw Object.assign(new Error('hidden'), { code: 'ERR_MODULE_NOT_FOUND' })";
  const env = resolving('ioredis', hide);
  const at = ['--state-dir', await writeFiles(t, {}), '--port', '0'];
  const { exit } = startProcess(t, [...at, '--redis-url', 'redis://127.0.0.1:1'], env);
  const { code, stderr } = await exit;
  assert.equal(code, 1);
  assert.equal(stderr, 'REDIS_URL needs the package ioredis. Run: npm install ioredis\n');
  await startProcess(t, at, env).listening();
});
