import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { deserialize, serialize } from 'node:v8';
import { type Random, seededRandom } from '../../scripts/bench/catalog/random.ts';
import type { CatalogName } from '../../src/contract/columns.ts';
import { type AmbiguousNumber, numberKey } from '../../src/formats/decimals.ts';
import type { CatalogFile } from '../../src/formats/formats.ts';
import type { LoadedFile } from '../../src/formats/table.ts';
import { contentsPath } from '../../src/history/contents.ts';
import { historyPath } from '../../src/history/entries.ts';
import {
  formerContent,
  type KeptRows,
  keptRows,
  type SeenProblem,
  watchProblems,
} from '../../src/reader/cache/kept-rows.ts';
import { readChanged } from '../../src/reader/cache/read-changed.ts';
import { finish } from '../../src/reader/read-directory.ts';
import { collectProblems } from '../../src/set/collect-problems.ts';
import { sha256 } from '../../src/set/files.ts';
import { type CellOptions, cutOffRows, type ReadCatalog, validateSet } from '../../src/set/validate-set.ts';
import { cacheOf, newSource, openService, pricesOf, told } from '../support/catalog/cached-sets.ts';
import { anyStyle, configurationsIn, edited, ROWS } from '../support/catalog/edited-lines.ts';
import { writeFiles, writeInto } from '../support/catalogs.ts';
import { rounds } from '../support/skipping.ts';

/** A file that was read, as the history and the cache have it. */
interface Former {
  bytes: Buffer;
  kept: KeptRows;
  files: LoadedFile[];
}

function anyOptions(random: Random): CellOptions {
  const csvEncoding = random() < 0.5 ? 'utf-8' : 'windows-1252';
  return { csvEncoding, csvDecimal: random() < 0.8 ? '.' : ',', timeZone: 'UTC', markdownHtml: false };
}

/** The configurations that have a price; there is a warning for each other one. */
const priced = Array.from({ length: ROWS }, (_, index) => index).filter(id => id % 10 > 0);

/** A set with this file of configurations. */
function filesWith(configurations: Buffer, productNames: readonly string[]): CatalogFile[] {
  const rows: [CatalogName, object[]][] = [
    ['products', productNames.map((name, index) => ({ id: index + 1, name }))],
    ['durations', [{ id: 1, name: 'Monthly', num: 1, unit: 'month' }]],
    ['prices', priced.map(id => ({ id, product_id: 1, rel_id: id, duration_id: 1, price: 1 }))],
  ];
  const json = rows.map(([catalog, list]) => [catalog, 'json', Buffer.from(JSON.stringify(list))] as const);
  const files = [...json, ['configurations', 'csv', configurations] as const];
  return files.map(([catalog, type, content]) => ({
    ...{ catalog, file: `${catalog}.${type}`, content, bytes: content.length, sha256: sha256(content) },
  }));
}

/** Reads a set, and its configurations, if possible, only where they differ from `changed`. */
async function readFiles(
  files: CatalogFile[],
  options: CellOptions,
  former: Former | undefined,
  changed: Former | undefined,
) {
  const file = files.find(({ catalog }) => catalog === 'configurations') ?? assert.fail();
  const problems = collectProblems(true);
  const ambiguous: AmbiguousNumber[] = [];
  let isPart = false;
  let seen: SeenProblem[] = [];
  const readCatalog: ReadCatalog = async (catalog, read, report) => {
    if (catalog !== 'configurations') return read(report);
    if (changed) {
      const { bytes, kept } = changed;
      const was = { kept, rows: () => formerContent(catalog, kept).rows, content: async () => bytes };
      const found = await readChanged(catalog, file, was, options, read);
      isPart = found !== undefined;
      if (found) return found;
    }
    const watched = watchProblems(report);
    seen = watched.seen;
    return read(watched.report);
  };
  const accepts = (number: AmbiguousNumber) => ambiguous.push(number) > 0;
  const context = { images: undefined, readCatalog };
  const validated = await validateSet(files, options, context, problems.report, undefined, accepts);
  const content = { files, markdown: [], damaged: [], lookAlikes: [] };
  const result = finish(content, validated, options, problems);
  const cutOff = cutOffRows(validated.catalogs, former?.files ?? []);
  const { configurations } = validated.catalogs;
  const kept = result.rows && configurations && keptRows('configurations', configurations, seen);
  return { isPart, outcome: { ...result, cutOff, ambiguous: ambiguous.map(numberKey), kept } };
}

test('any edits of a file lead to what reading the whole file leads to', async () => {
  const random = seededRandom(11);
  const count = { part: 0, invalidPart: 0, whole: 0 };
  for (let round = 0; round < rounds(100, 20); round += 1) {
    const [style, options] = [anyStyle(random), anyOptions(random)];
    let former: Former | undefined;
    for (let step = 0; step < 5; step += 1) {
      const names = !former || random() < 0.8 ? ['Server', 'Other'] : ['Other', 'Server'];
      const { bytes, what } = former
        ? edited(former.bytes, style, random)
        : { bytes: configurationsIn(style, random), what: 'first' };
      const expected = await readFiles(filesWith(bytes, names), options, former, undefined);
      const found = await readFiles(filesWith(bytes, names), options, former, former);
      const where = `${what} in step ${step} of round ${round}, ${JSON.stringify({ style, options })}`;
      assert.deepEqual(found.outcome, expected.outcome, where);
      const { kept, report } = expected.outcome;
      if (former) count[!found.isPart ? 'whole' : kept ? 'part' : 'invalidPart'] += 1;
      else assert.ok(kept, where);
      if (kept) former = { bytes, kept: deserialize(serialize(kept)), files: report.files };
    }
  }
  const { part, invalidPart, whole } = count;
  assert.ok(
    part >= rounds(70, 10) && invalidPart > rounds(10, 0) && whole > rounds(100, 15),
    JSON.stringify(count),
  );
});

/** Prices of options, of which there may be any number, then those of the configurations. */
function manyPrices(price: string): string {
  const options = Array.from({ length: 400 }, (_, index) => `${index + 10},1,1,1,0.5,0\n`);
  const [head = '', ...rows] = pricesOf(price).trimEnd().split('\n');
  return [`${head},rel_type\n`, ...options, ...rows.map(row => `${row},1\n`)].join('');
}

test('of a changed price, the reader process reads its line and the first ones, and compares all', async t => {
  const source = await newSource(t);
  const without = { ...source, stateDir: await writeFiles(t, {}) };
  const [service, other] = [openService(source), openService(without)];
  const first = manyPrices('10.5').slice(0, 4096).split('\n').length - 1;
  for (const price of ['10.5', '11.25']) {
    await writeInto(source.catalogDir, { 'prices.csv': manyPrices(price) });
    await rm(cacheOf(without), { recursive: true, force: true });
    const [change, expected] = [await service.takeUp(), await other.takeUp()];
    assert.deepEqual(told(change), told(expected));
  }
  assert.equal(service.served()?.report.changes?.summary, '1 price changed');
  assert.equal(service.rows(), first + 1);
  assert.ok(other.rows() > 400);
  const data = service.data();
  service.restart();
  await service.takeUp();
  assert.equal(service.rows(), 0);
  assert.deepEqual(service.data(), data);
  assert.deepEqual(service.damage, []);
});

test('a changed file is read as a whole if the history has lost the former one, and says so', async t => {
  const source = await newSource(t);
  await writeInto(source.catalogDir, { 'prices.csv': manyPrices('10.5') });
  const service = openService(source);
  await service.takeUp();
  await rm(contentsPath(historyPath(source.stateDir)), { recursive: true });
  await writeInto(source.catalogDir, { 'prices.csv': manyPrices('11.25') });
  await service.takeUp();
  assert.equal(service.rows(), 404);
  assert.equal(service.served()?.report.changes?.summary, '1 price changed');
  assert.match(service.damage.join(), /^\S+, a former prices\.csv, is missing$/);
});

test('a changed file is read as a whole if the former one was read with other settings', async t => {
  const source = await newSource(t);
  await writeInto(source.catalogDir, { 'prices.csv': manyPrices('10.5') });
  const service = openService(source);
  await service.takeUp();
  service.restart();
  source.timeZone = 'Asia/Tokyo';
  await writeInto(source.catalogDir, { 'prices.csv': manyPrices('11.25') });
  await service.takeUp();
  assert.ok(service.rows() >= 404);
});
