import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageVersion } from '../../src/package-version.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { startRedisStore } from '../support/reads/stores.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('redis-server');

test('a start that cannot read the journal fails with one sentence', { skip }, async t => {
  const { redis } = await startRedisStore(t);
  const dir = await writeFiles(t, shop);
  await symlink('redis-counts.json', join(dir, 'redis-counts.json'));
  const settings = { port: 0, catalogDir: dir, imagesDir: dir, stateDir: dir };
  const { code, stderr } = await startProcess(t, [...flagsOf(settings), '--redis-url', redis.url]).exit;
  assert.equal(code, 1);
  assert.match(stderr, /^ELOOP: [^\n]*redis-counts\.json'\n$/);
});

for (const name of ['redis-counts.json', 'redis-counts.json.prev', 'read-counts.json']) {
  test(`a start fails with one sentence if ${name} has a newer format, and touches nothing`, {
    skip,
  }, async t => {
    const isJournal = name.startsWith('redis');
    const { redis } = await startRedisStore(t);
    const newer = '{"format":2,"version":"7.1.0","counts":{"1":5}}';
    const dir = await writeFiles(t, shop);
    const stateDir = await writeFiles(t, { [name]: newer });
    const flags = flagsOf({ port: 0, catalogDir: dir, imagesDir: dir, stateDir });
    const { code, stderr } = await startProcess(t, [
      ...flags,
      ...(isJournal ? ['--redis-url', redis.url] : []),
    ]).exit;
    assert.equal(
      stderr,
      `${join(stateDir, name)} has format 2, written by Vitrine 7.1.0, but Vitrine ${packageVersion()} reads format 1: use a newer Vitrine\n`,
    );
    assert.equal(code, 1);
    assert.equal(await readFile(join(stateDir, name), 'utf8'), newer);
    assert.deepEqual((await readdir(stateDir)).sort(), ['lock', name]);
  });
}

test('what a version before 0.2 left is taken over: its counts, and the reads that it had not sent', {
  skip,
}, async t => {
  const { redis, place, open } = await startRedisStore(t);
  await redis.client.hset('vitrine:{reads}:counts', { 1: '105', 2: '7' });
  const delta = (id: number, reads: number, floor: number) => [id, reads, floor];
  const unsent = [1, 2].map(sequence => ({
    instance: '0a1b2c3d-0000-4000-8000-000000000000',
    sequence,
    deltas: [delta(1, 2, 100), delta(3, 1, 50)],
  }));
  const values = { generation: 4, version: '0.1.0', counts: { 1: 104 }, kept: [], unsent };
  const checksum = createHash('sha256').update(JSON.stringify(values)).digest('hex').slice(0, 16);
  await writeFile(
    join(place.stateDir, 'redis-leftover.json'),
    JSON.stringify({ format: 1, checksum, ...values }),
  );
  for (let start = 0; start < 2; start += 1) {
    const counter = await open();
    assert.deepEqual(
      [1, 2, 3].map(id => counter.shown(id, 0)),
      [109, 7, 52],
    );
    await counter.close();
  }
  assert.deepEqual(await redis.counts(), { 1: 109, 2: 7, 3: 52 });
});
