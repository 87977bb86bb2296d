import assert from 'node:assert/strict';
import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { packageVersion } from '../../src/package-version.ts';
import { shop, writeFiles } from '../support/catalogs.ts';
import { flagsOf, startProcess } from '../support/process.ts';
import { startRedisStore } from '../support/reads/stores.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('redis-server');

test('a start that cannot read the rows fails with one sentence', { skip }, async t => {
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
    const isRedis = name.startsWith('redis');
    const { redis } = await startRedisStore(t);
    const newer = '{"format":2,"version":"7.1.0","counts":{"1":5}}';
    const dir = await writeFiles(t, shop);
    const stateDir = await writeFiles(t, { [name]: newer });
    const flags = flagsOf({ port: 0, catalogDir: dir, imagesDir: dir, stateDir });
    const { code, stderr } = await startProcess(t, [...flags, ...(isRedis ? ['--redis-url', redis.url] : [])])
      .exit;
    assert.equal(
      stderr,
      `${join(stateDir, name)} has format 2, written by Vitrine 7.1.0, but Vitrine ${packageVersion()} reads format 1: use a newer Vitrine\n`,
    );
    assert.equal(code, 1);
    assert.equal(await readFile(join(stateDir, name), 'utf8'), newer);
    assert.deepEqual((await readdir(stateDir)).sort(), ['lock', name]);
  });
}
