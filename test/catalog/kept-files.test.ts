import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { historyPath } from '../../src/catalog/history/entries.ts';
import { keptSets } from '../../src/catalog/history/kept-sets.ts';
import { systemDirectory } from '../../src/catalog/read/directory/system-directory.ts';
import { readFiles } from '../../src/catalog/read/files.ts';
import { compressNew, keepSet } from '../../src/catalog/reader/history-tasks.ts';
import { keptFiles, readSet } from '../../src/catalog/reader/load-set.ts';
import { systemFs } from '../../src/files/atomic-write.ts';
import { shop, sourceIn, writeFiles } from '../support/catalogs.ts';

test('a set is kept from what was read, however large a file is: it waits for no second reading', async t => {
  const large = `${' '.repeat(2 ** 24)}${JSON.stringify(shop['products.json'])}`;
  const dir = await writeFiles(t, { ...shop, 'products.json': large });
  const source = { ...sourceIn(dir), stateDir: await writeFiles(t, {}) };
  const { report } = await readSet(source);
  const { files } = await readFiles(systemDirectory(dir, source.maxFileMb), place => assert.fail(place.file));
  await compressNew(source, files);
  await rm(dir, { recursive: true });
  const version = String(report.version);
  const entry = {
    version,
    since: 0,
    catalogDir: resolve(dir),
    files: keptFiles(report),
    reading: report.reading,
  };
  assert.ok((await keepSet(source, entry)) > 0);
  for await (const { files } of keptSets(systemFs, historyPath(source.stateDir), dir, assert.fail))
    assert.equal(files.find(({ file }) => file === 'products.json')?.content.toString(), large);
});
