import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { resolve } from 'node:path';
import { test } from 'node:test';
import { keptSets } from '../../src/history/contents.ts';
import { historyIn } from '../../src/history/entries.ts';
import { compressNew, keepSet } from '../../src/reader/keep-set.ts';
import { readFiles } from '../../src/set/files.ts';
import { systemDirectory } from '../../src/set/system-directory.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { shop, sourceIn, writeFiles } from '../support/catalogs.ts';

test('a set is kept from what was read, however large a file is: it waits for no second reading', async t => {
  const large = `${' '.repeat(2 ** 20)}${JSON.stringify(shop['products.json'])}`;
  const dir = await writeFiles(t, { ...shop, 'products.json': large });
  const source = { ...sourceIn(dir), stateDir: await writeFiles(t, {}) };
  const { version, reading, files } = (await readSource(source)).report;
  const read = await readFiles(systemDirectory(source), place => assert.fail(place.file));
  await compressNew(source, read.files);
  await rm(dir, { recursive: true });
  await keepSet(source, { version: String(version), since: 0, catalogDir: resolve(dir), files, reading });
  const kept: (string | undefined)[] = [];
  for await (const { files } of keptSets(historyIn(source.stateDir, assert.fail), dir))
    kept.push(files.find(({ file }) => file === 'products.json')?.content.toString());
  assert.ok(kept.length === 1 && kept[0] === large);
});
