import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { type TestContext, test } from 'node:test';
import { systemFs } from '../../src/files/atomic-write.ts';
import { keptSets } from '../../src/history/contents.ts';
import { historyPath } from '../../src/history/entries.ts';
import { compressNew, keepSet } from '../../src/reader/keep-set.ts';
import { readFiles } from '../../src/set/files.ts';
import { systemDirectory } from '../../src/set/system-directory.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, shop, sourceIn, writeFiles } from '../support/catalogs.ts';

/** A set whose files have been read and compressed, and how to keep it. */
async function readToKeep(t: TestContext, files: Files, inState: Files = {}) {
  const dir = await writeFiles(t, files);
  const source = { ...sourceIn(dir), stateDir: await writeFiles(t, inState) };
  const { report } = await readSource(source);
  const content = await readFiles(systemDirectory(source), place => assert.fail(place.file));
  await compressNew(source, content.files);
  const { version, reading } = report;
  const entry = {
    version: String(version),
    since: 0,
    catalogDir: resolve(dir),
    files: report.files,
    reading,
  };
  return { dir, historyDir: historyPath(source.stateDir), keep: () => keepSet(source, entry) };
}

test('a set is kept from what was read, however large a file is: it waits for no second reading', async t => {
  const large = `${' '.repeat(2 ** 24)}${JSON.stringify(shop['products.json'])}`;
  const { dir, historyDir, keep } = await readToKeep(t, { ...shop, 'products.json': large });
  await rm(dir, { recursive: true });
  await keep();
  const kept: (string | undefined)[] = [];
  for await (const { files } of keptSets(systemFs, historyDir, dir, assert.fail))
    kept.push(files.find(({ file }) => file === 'products.json')?.content.toString());
  assert.ok(kept.length === 1 && kept[0] === large);
});

test('a history that cannot be looked into fails the keeping of a set, and not its reading', async t => {
  const { keep } = await readToKeep(t, shop, { 'history/files': 'not a directory' });
  await assert.rejects(keep(), { code: 'ENOTDIR' });
});
