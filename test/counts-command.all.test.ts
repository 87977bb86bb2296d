import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageVersion } from '../src/package-version.ts';
import { writeFiles } from './support/catalogs.ts';
import { runCommand } from './support/command.ts';
import { startProcess } from './support/process.ts';
import { stores } from './support/reads/stores.ts';

/** Runs `vitrine counts`; `input` is its standard input. */
const counts = (args: string[], input?: string) => runCommand(['counts', ...args], {}, input);

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
    assert.deepEqual(await counts(['import', file, ...at]), {
      code: 0,
      stdout: `3 read counts in ${file}, 3 of them larger than before\n`,
      stderr: '',
    });
    assert.deepEqual(await counts(['import', '-', ...at], NUMBERS), {
      code: 0,
      stdout: '3 read counts in standard input, 0 of them larger than before\n',
      stderr: '',
    });
    const smaller = await counts(['import', '-', ...at], '{"1": 1, "7": 4}');
    assert.equal(smaller.stdout, '2 read counts in standard input, 1 of them larger than before\n');
    const exported = await counts(['export', ...at]);
    assert.deepEqual(JSON.parse(exported.stdout), {
      format: 1,
      counts: { 1: 500, 2: 1, 7: 4, 9007199254740991: 1 },
    });
    const again = await counts(['import', '-', ...at], exported.stdout);
    assert.equal(again.stdout, '4 read counts in standard input, 0 of them larger than before\n');
    const next = await open();
    assert.deepEqual([next.shown(1, 0), next.shown(7, 0)], [500, 4]);
  });
}

test('counts can be exported while a service runs, but not imported', async t => {
  const { place, open } = await (stores[0] ?? assert.fail()).start(t);
  const counter = await open();
  await counter.raise(1, 0);
  await counter.flush();
  const at = ['--state-dir', place.stateDir];
  assert.match((await counts(['export', ...at])).stdout, /"1": 1/);
  const refused = await counts(['import', '-', ...at], NUMBERS);
  assert.deepEqual([refused.code, refused.stdout], [1, '']);
  assert.match(refused.stderr, /^the state directory .* is in use by process \d+ on .*\n$/);
});

test('a count is set, also to a smaller one, without a service', async t => {
  const { place, open } = await (stores[0] ?? assert.fail()).start(t);
  const at = ['--state-dir', place.stateDir];
  assert.deepEqual(await counts(['set', '12', '103', ...at]), {
    code: 0,
    stdout: 'news item 12: 0 → 103\n',
    stderr: '',
  });
  const { stdout } = await counts(['set', '12', '50', ...at]);
  assert.equal(stdout, 'news item 12: 103 → 50; if the catalog has a larger "read", that is shown\n');
  assert.deepEqual((await readdir(place.stateDir)).sort(), [
    'lock',
    'read-counts.json',
    'read-counts.json.prev',
  ]);
  const path = join(place.stateDir, 'read-counts.json');
  await writeFile(path, (await readFile(path, 'utf8')).replace('"counts": {', '"counts": {"3": 3,'));
  const counter = await open();
  assert.deepEqual([counter.shown(12, 0), counter.shown(3, 0)], [50, 3]);
});

test('a count is set while a service runs, and goes on from there after it ends in any way', async t => {
  const { place, open, saved } = await (stores[0] ?? assert.fail()).start(t);
  const counter = await open(20);
  for (let read = 1; read <= 5; read += 1) await counter.raise(7, 0);
  await counter.flush();
  const revision = counter.revision();
  const { code, stdout } = await counts(['set', '7', '2', '--state-dir', place.stateDir]);
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
  const { place, open } = await (stores[0] ?? assert.fail()).start(t);
  await open();
  const at = ['--state-dir', place.stateDir, '--flush-interval-ms', '10'];
  const { code, stdout, stderr } = await counts(['set', '7', '2', ...at]);
  assert.deepEqual([code, stdout], [1, '']);
  assert.match(stderr, /^the service on .* did not set the count: [^\n]*\n$/);
  const order = join(place.stateDir, 'read-counts.json.set');
  await writeFile(order, '{"1":');
  const other = await counts(['set', '7', '2', ...at]);
  assert.equal(other.code, 1);
  assert.match(other.stderr, /^.*read-counts\.json\.set is the order of another [^\n]*\n$/);
  assert.equal(await readFile(order, 'utf8'), '{"1":');
});

test('an id or a count that is none is wrong usage', async () => {
  for (const [id, count] of [
    ['0', '1'],
    ['a', '1'],
    ['1', '1.5'],
    ['1', '9007199254740992'],
    ['1', ''],
  ] as const) {
    const { code, stderr } = await counts(['set', id, count]);
    assert.equal(code, 2, `${id} ${count}`);
    assert.match(
      stderr,
      /^counts set: expected (ID|N) to be a whole number from [01] to 9007199254740991, got/,
    );
  }
});

test('the export of a broken file is refused and leaves it alone; without a file, no counts are exported', async t => {
  const stateDir = await writeFiles(t, {});
  const at = ['--state-dir', stateDir];
  assert.deepEqual(JSON.parse((await counts(['export', ...at])).stdout), { format: 1, counts: {} });
  const path = join(stateDir, 'read-counts.json');
  await writeFile(path, '{');
  const { code, stderr } = await counts(['export', ...at]);
  assert.equal(code, 1);
  assert.match(stderr, /^.*read-counts\.json is broken: .*\n$/);
  assert.equal(await readFile(path, 'utf8'), '{');
  assert.deepEqual(await readdir(stateDir), ['read-counts.json']);
});

test('counts in a newer format are neither exported nor imported nor touched', async t => {
  const newer = '{"format": 2, "version": "7.1.0", "counts": {"1": 5}}';
  const has = (source: string) =>
    `${source} has format 2, written by Vitrine 7.1.0, but Vitrine ${packageVersion()} reads format 1: use a newer Vitrine\n`;
  const stateDir = await writeFiles(t, { 'read-counts.json': newer });
  const at = ['--state-dir', stateDir];
  const path = join(stateDir, 'read-counts.json');
  assert.deepEqual(await counts(['export', ...at]), { code: 1, stdout: '', stderr: has(path) });
  const imported = await counts(['import', '-', ...at], NUMBERS);
  assert.deepEqual(imported, { code: 1, stdout: '', stderr: has(path) });
  assert.equal(await readFile(path, 'utf8'), newer);
  const elsewhere = ['--state-dir', join(stateDir, 'elsewhere')];
  const refused = await counts(['import', '-', ...elsewhere], newer);
  assert.deepEqual(refused, { code: 1, stdout: '', stderr: has('standard input') });
});

test('a file without counts is refused in one sentence', async t => {
  const at = ['--state-dir', await writeFiles(t, {})];
  for (const [input, reason] of [
    ['', /Unexpected end of JSON/],
    ['[]', /it is not an object/],
    ['{"counts": {"1": -1}}', /expected a news id and a whole number, got "1": -1/],
  ] as const) {
    const { code, stdout, stderr } = await counts(['import', '-', ...at], input);
    assert.deepEqual([code, stdout], [1, ''], input);
    assert.match(
      stderr,
      /^standard input: expected read counts such as \{"counts": \{"12": 103\}\}, but [^\n]*\n$/,
    );
    assert.match(stderr, reason);
  }
  const missing = await counts(['import', '/nowhere/counts.json', ...at]);
  assert.equal(missing.code, 1);
  assert.match(missing.stderr, /^cannot read \/nowhere\/counts\.json: ENOENT[^\n]*\n$/);
});

test('a missing Redis is reported in one sentence', async () => {
  const at = ['--redis-url', 'redis://127.0.0.1:1'];
  for (const args of [
    ['export', ...at],
    ['import', '-', ...at],
  ]) {
    const { code, stderr } = await counts(args, NUMBERS);
    assert.equal(code, 1);
    assert.equal(stderr, 'Redis failed: connect ECONNREFUSED 127.0.0.1:1\n');
  }
});

test('without ioredis, REDIS_URL says what to install, and nothing else needs it', async t => {
  const hide = `export const resolve = (name, context, next) => {
    if (name === 'ioredis') throw Object.assign(new Error('hidden'), { code: 'ERR_MODULE_NOT_FOUND' });
    return next(name, context);
  }`;
  const url = `data:text/javascript,${encodeURIComponent(hide)}`;
  const register = `import { register } from 'node:module'; register(${JSON.stringify(url)})`;
  const env = { NODE_OPTIONS: `--import=data:text/javascript,${encodeURIComponent(register)}` };
  const at = ['--state-dir', await writeFiles(t, {}), '--port', '0'];
  const { exit } = startProcess(t, [...at, '--redis-url', 'redis://127.0.0.1:1'], env);
  const { code, stderr } = await exit;
  assert.equal(code, 1);
  assert.equal(stderr, 'REDIS_URL needs the package ioredis. Run: npm install ioredis\n');
  await startProcess(t, at, env).listening();
});
