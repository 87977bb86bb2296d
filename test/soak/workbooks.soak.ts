import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { copyFile, cp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { formatProblem } from '../../src/contract/problems.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, sample, shop, shopWith, sourceIn, writeFiles, writeInto } from '../support/catalogs.ts';
import { numberFormats } from '../support/exports/formats.ts';
import { convert } from '../support/exports/libreoffice/convert.ts';
import { openDocument } from '../support/exports/libreoffice/open-document.ts';
import { type Variant, type Workbook, workbookOf } from '../support/exports/libreoffice/workbooks.ts';
import { localeNames, manyScripts } from '../support/exports/locales.ts';
import type { Value } from '../support/exports/workbook.ts';

import { endWithTest, killGroup, startProcess } from '../support/process.ts';
import { startService } from '../support/service.ts';
import { skipWithout, skipWithoutOpenpyxl } from '../support/skipping.ts';
import { isLong, rounds } from '../support/soak.ts';
import { until } from '../support/until.ts';
import { workbookBombs } from '../support/workbooks/bombs.ts';
import { sheetOf } from '../support/workbooks/shop-workbook.ts';
import { xlsx } from '../support/workbooks/xlsx.ts';

const PRICES = sheetOf(shop['prices.csv'] ?? '');
const PRICE = '/api/recommend-config/price?product_id=1&recommend_config_id=11&duration_id=1';
const SAVES = rounds(3, 50);

const variants: Variant[] = [
  {},
  { formats: { date: 'local' } },
  ...numberFormats.map((amount): Variant => ({ formats: { amount, id: '#,##0' } })),
];
/** Every format in every country, or in the usual form each format in one country. */
const books = localeNames.flatMap((locale, index) =>
  variants
    .filter((_, variant) => isLong || variant === index)
    .map(variant => workbookOf(locale, manyScripts, variant)),
);

for (const format of ['xlsx', 'ods']) {
  test(`${format} files that LibreOffice saves have the values that were typed, whatever the country and the formats`, {
    skip: skipWithout('soffice'),
    timeout: 600_000,
  }, async t => {
    const dir = await writeFiles(t, {});
    await writeInto(dir, Object.fromEntries(books.map(book => [`${book.name}.fods`, openDocument(book)])));
    const sources = books.map(({ name }) => join(dir, `${name}.fods`));
    await convert(t, dir, sources, format, join(dir, 'saved'));
    await assertSameValues(t, books, format, ({ name }) => join(dir, 'saved', `${name}.${format}`));
    t.diagnostic(`${books.length} workbooks`);
  });
}

test('workbooks that openpyxl writes have the values that were written', {
  skip: skipWithoutOpenpyxl(),
  timeout: 600_000,
}, async t => {
  const dir = await writeFiles(t, {});
  const fileOf = ({ name }: Workbook) => join(dir, `${name}.xlsx`);
  await writeByOpenpyxl(t, Object.fromEntries(books.map(book => [fileOf(book), sheetsOf(book)])));
  await assertSameValues(t, books, 'xlsx', fileOf);
});

for (const [program, skip, formats] of [
  ['LibreOffice', skipWithout('soffice'), ['xlsx', 'ods']],
  ['openpyxl', skipWithoutOpenpyxl(), ['xlsx']],
] as const) {
  test(`the workbooks of convert and template are the same once ${program} has saved them`, {
    skip,
    timeout: 600_000,
  }, async t => {
    const dir = await writeFiles(t, {});
    for (const [name, args] of Object.entries({
      sample: ['convert', sample.catalogDir],
      template: ['template'],
    })) {
      const own = join(dir, name);
      assert.equal((await startProcess(t, [...args, own]).exit).code, 0);
      const file = join(own, 'catalog.xlsx');
      const { report } = await readSource(sourceIn(own));
      assert.ok(report.version);
      for (const format of formats) {
        const saved = join(dir, `${name}-${format}`);
        await cp(own, saved, { recursive: true });
        await rm(join(saved, 'catalog.xlsx'));
        if (program === 'LibreOffice') await convert(t, dir, [file], format, saved);
        else await saveByOpenpyxl(t, file, join(saved, 'catalog.xlsx'));
        assert.equal((await readSource(sourceIn(saved))).report.version, report.version, `${name}.${format}`);
      }
    }
  });
}

test(`a workbook that LibreOffice saves over a live one ${SAVES} times is taken up each time, never half`, {
  skip: skipWithout('soffice'),
  timeout: 900_000,
}, async t => {
  const dir = await writeFiles(t, shopWith({ 'prices.csv': null, 'prices.xlsx': xlsx({ prices: PRICES }) }));
  const { ask } = await startService(t, {}, { catalogDir: dir, reloadPollMs: 100 });
  const outcomes = new Set<string>();
  const isServed = async (price: number) => {
    outcomes.add((await ask('/health')).data.last_attempt.outcome);
    const { data } = await ask(PRICE);
    return data.price === price ? true : undefined;
  };
  const own = await writeFiles(t, {});
  for (let save = 1; save <= SAVES; save += 1) {
    const rows = PRICES.map((cells, row) => (row === 1 ? [...cells.slice(0, 4), 400 + save] : cells));
    await writeInto(own, { 'prices.csv': rows.map(cells => `${cells.join()}\n`).join('') });
    const saved = convert(t, own, [join(own, 'prices.csv')], 'xlsx', dir);
    await until(t, () => isServed(400 + save));
    await saved;
  }
  assert.deepEqual([...outcomes], ['loaded']);
});

test('a workbook that is small takes little memory, however it is made', {
  timeout: 600_000,
}, async t => {
  // A reader process takes 63 MB for a workbook of one row, and collects garbage when it likes.
  const limits = ['--load-memory-mb', '160'];
  for (const [what, content] of Object.entries(workbookBombs)) {
    const dir = await writeFiles(t, { 'products.xlsx': content });
    const { exit } = startProcess(t, ['check', dir, ...limits]);
    const { stdout } = await exit;
    assert.match(stdout, /^(?:ok|refused): /m, what);
    assert.doesNotMatch(stdout, /LOAD_FAILED/, what);
  }
});

async function saveByOpenpyxl(t: TestContext, from: string, to: string): Promise<void> {
  await copyFile(from, to);
  const script = fileURLToPath(new URL('../support/exports/openpyxl/save.py', import.meta.url));
  const child = spawn('/usr/bin/python3', [script, to], {
    detached: true,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  assert.equal(await endWithTest(t, child, () => killGroup(child)), 0);
}

async function writeByOpenpyxl(t: TestContext, workbooks: object): Promise<void> {
  const script = fileURLToPath(new URL('../support/exports/openpyxl/write.py', import.meta.url));
  const child = spawn('/usr/bin/python3', [script], { detached: true, stdio: ['pipe', 'ignore', 'inherit'] });
  const ended = endWithTest(t, child, () => killGroup(child));
  child.stdin.end(JSON.stringify(workbooks));
  assert.equal(await ended, 0);
}

function sheetsOf({ grids }: Workbook) {
  const cellOf = (value: Value) =>
    value instanceof Date ? { time: value.toISOString().slice(0, 19) } : value;
  return Object.fromEntries(
    grids.map(({ catalog, rows }) => [
      catalog,
      rows.map(cells => cells.map(({ value, text }) => cellOf(value ?? (text || null)))),
    ]),
  );
}

/** Checks that workbooks have the same version as JSON files with the values of their cells. */
async function assertSameValues(
  t: TestContext,
  books: readonly Workbook[],
  format: string,
  fileOf: (book: Workbook) => string,
) {
  for (const book of books) {
    const json = await readSource(sourceIn(await writeFiles(t, jsonOf(book))));
    const dir = await writeFiles(t, {});
    await copyFile(fileOf(book), join(dir, `catalog.${format}`));
    const { report } = await readSource(sourceIn(dir));
    assert.equal(
      report.version,
      json.report.version ?? assert.fail(json.report.problems.map(formatProblem).join('\n')),
      [book.name, ...report.problems.map(formatProblem)].join('\n'),
    );
  }
}

function jsonOf({ grids }: Workbook): Files {
  return Object.fromEntries(
    grids.map(({ catalog, rows }) => [
      `${catalog}.json`,
      rows
        .slice(1)
        .map(cells =>
          Object.fromEntries(
            cells.map(({ column = '', value }) => [
              column,
              value instanceof Date ? value.getTime() / 1000 : value,
            ]),
          ),
        ),
    ]),
  );
}
