import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isError } from '../../src/contract/problems.ts';
import { formatProblems } from '../../src/live/report.ts';
import { collectProblems } from '../../src/set/collect-problems.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';

const HEADINGS = 'id,product_id,rel_id,duration_id,price';
/** 250 prices, one a row, with the cells that `write` gives. */
const prices = (write: (index: number) => string, headings = HEADINGS): Files => ({
  'products.csv': 'id,name\n1,Cloud\n',
  'configurations.csv': 'id,product_id,name,cpu,memory\n11,1,S,1,1024\n',
  'durations.csv': null,
  'prices.csv': `${headings}\n${Array.from({ length: 250 }, (_, index) => `${write(index)}\n`).join('')}`,
});

const causes: [what: string, files: Files, told: string, errors: number][] = [
  [
    'a title above the headings',
    prices(index => `${index + 1},1,11,${index + 1},5`, `Prices 2026,,,,\n${HEADINGS}`),
    'prices.csv:1:1: error TITLE_ROW row 1: the column headings seem to be in row 2: delete the rows above them',
    1,
  ],
  [
    'a bad id to which many rows refer',
    { ...prices(index => `${index + 1},1,11,${index + 1},5`), 'products.csv': 'id,name\n1a,Cloud\n' },
    'products.csv:2:1: error BAD_ID A2, id "1a": write a whole number of 1 or more, such as 12',
    1,
  ],
  [
    'a thousands separator in every price',
    prices(index => `${index + 1},1,11,${index + 1},"1,928"`),
    'prices.csv:2:10: error AMBIGUOUS_NUMBER E2, price "1,928" may be 1928, or 1 and 928 thousandths: write 1928 and turn off the thousands separator of this column, or write 1,9280 (250 cells, E2 to E251)',
    250,
  ],
  [
    'merged cells',
    prices(index => `${index + 1},${index === 0 ? 1 : ''},11,${index + 1},5`),
    'prices.csv:3:3: error MISSING_VALUE B3, product_id is missing: write a whole number of 1 or more, such as 12, or the name of a product; if cells are merged, unmerge them and fill in every row (249 cells, B3 to B251)',
    249,
  ],
  [
    'a separator that the last rows lack',
    prices(index => (index < 100 ? `${index + 1},1,11,${index + 1},5` : `${index + 1},1,11`)),
    'prices.csv:102:1: error RAGGED_ROW row 102: this row has 3 cells under 5 headings: write a comma after every cell but the last, even after an empty one (150 rows, row 102 to row 251)',
    150,
  ],
  [
    'a bad value in a JSON file',
    { 'products.json': Array.from({ length: 9 }, (_, index) => ({ id: index + 1, name: index })) },
    'products.json:4:13: error BAD_TEXT name 0: write text in "double quotes" (9 times, last at products.json:36:13)',
    9,
  ],
];

test('one cause is reported once, with the number of its cells, the first and the last of them', async t => {
  for (const [what, files, told, errors] of causes) {
    const source = sourceIn(await writeFiles(t, shopWith(files)));
    const { report } = await readSource(source);
    const shown = formatProblems({ ...report, problems: report.problems.filter(isError), warnings: 0 });
    assert.deepEqual({ what, shown, errors: report.errors }, { what, shown: [told], errors });
    const { report: all } = await readSource(source, true);
    assert.equal(all.problems.filter(isError).length, errors, what);
  }
});

test('reading stops at 10,000 errors', async t => {
  const rows = Array.from({ length: 10_001 }, (_, index) => `${index + 1},1,11,1,x\n`).join('');
  const source = sourceIn(await writeFiles(t, shopWith({ 'prices.csv': `${HEADINGS}\n${rows}` })));
  const { report } = await readSource(source);
  assert.equal(report.errors, 10_000);
  assert.ok(!report.files.some(({ catalog }) => catalog === 'news'));
});

test('each heading with a slip is named once, as it is written', async t => {
  const rows = 'ID.,product_id:,rel._id,duration_id,Prise*\n1,1,11,1,5\n';
  const { report } = await readSource(sourceIn(await writeFiles(t, shopWith({ 'prices.csv': rows }))));
  const told = report.problems.filter(({ file, code }) => file === 'prices.csv' && code === 'MISSING_COLUMN');
  assert.deepEqual(
    told.map(({ message }) => message.split(', and')[0]),
    ['ID. id', 'product_id: product_id', 'rel._id rel_id', 'Prise* price'].map(slip => {
      const [heading, column] = slip.split(' ');
      return `the heading ${heading} is not that of a column: if it is ${column}, rename it to ${column}`;
    }),
  );
});

test('a report shows the first 100 causes, errors before warnings, and the number of the other problems', async t => {
  const unknown = Array.from({ length: 150 }, (_, index) => `unknown${index}`);
  const rows = ['1,A', 'x,B', '3,'].map(row => row + ','.repeat(unknown.length));
  const files: Files = {
    'products.csv': [`id,name,${unknown.join()}`, ...rows, ''].join('\n'),
    'news.json': [{ id: 'x' }],
  };
  const source = sourceIn(await writeFiles(t, shopWith(files)));
  const { report } = await readSource(source);
  const codes = report.problems.map(({ code, file }) => `${file} ${code}`);
  assert.equal(codes.length, 100);
  assert.deepEqual(codes.slice(0, 7), [
    'products.csv BAD_ID',
    'products.csv MISSING_VALUE',
    'news.json MISSING_VALUE',
    'news.json MISSING_VALUE',
    'news.json MISSING_VALUE',
    'news.json BAD_ID',
    'products.csv UNKNOWN_COLUMN',
  ]);
  assert.equal(formatProblems(report).at(-1), `and ${6 + 150 - 100} more problems`);
});

test('a price that a workbook shows otherwise comes before other warnings', () => {
  const { report, summarize } = collectProblems();
  report({ file: 'a.csv', row: 2, heading: 'note' }, 'UNKNOWN_COLUMN', 'is unknown');
  report({ file: 'b.xlsx', row: 3, heading: 'price' }, 'SHOWN_OTHERWISE', 'is shown otherwise');
  const codes = summarize(['a.csv', 'b.xlsx']).problems.map(({ code }) => code);
  assert.deepEqual(codes, ['SHOWN_OTHERWISE', 'UNKNOWN_COLUMN']);
});
