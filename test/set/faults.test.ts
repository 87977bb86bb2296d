import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ProblemCode, problems } from '../../src/contract/problems.ts';
import { formatProblems } from '../../src/live/report.ts';
import { collectProblems, formatProblem } from '../../src/set/collect-problems.ts';
import { type Files, shopWith } from '../support/catalogs.ts';
import { readFiles } from '../support/read-source.ts';
import { skipInQuickRun } from '../support/skipping.ts';
import { type Fault, faults, hugeFaults } from './faults/faults.ts';

async function assertReported(list: readonly Fault[]): Promise<void> {
  for (const [files, told, options] of list) {
    const { report } = await readFiles(shopWith(files), options);
    // Where prices are replaced, configurations lose theirs, and the shop's own image is never there.
    const lines = report.problems
      .map(formatProblem)
      .filter(line => line === told || !/ NO_PRICE | NO_IMAGE /.test(line));
    assert.deepEqual(lines, [told]);
    assert.equal(report.version === undefined, / error /.test(told), told);
  }
}

test('each problem is reported with file, line, column, code and what to write instead', () =>
  assertReported(faults));

test('so are problems of huge files', { skip: skipInQuickRun }, () => assertReported(hugeFaults));

test('every problem in the table can happen', () => {
  const seen = new Set(
    [...faults, ...hugeFaults].map(([, told]) => told.split(' ').find(word => word in problems)),
  );
  const elsewhere: ProblemCode[] = [
    ...(['NO_DIRECTORY', 'UNREADABLE_FILE', 'LOAD_FAILED', 'FILE_TOO_BIG'] as const),
    ...(['NOT_READ', 'OTHER_TABLE', 'NO_PRICE_YET'] as const),
  ];
  assert.deepEqual(
    Object.keys(problems).filter(code => !seen.has(code) && !elsewhere.includes(code as ProblemCode)),
    [],
  );
});

const HEADINGS = 'id,product_id,rel_id,duration_id,price';

test('reading stops at 10,000 errors', async () => {
  const rows = Array.from({ length: 10_001 }, (_, index) => `${index + 1},1,11,1,x\n`).join('');
  const { report } = await readFiles(shopWith({ 'prices.csv': `${HEADINGS}\n${rows}` }));
  assert.equal(report.errors, 10_000);
  assert.ok(!report.files.some(({ catalog }) => catalog === 'news'));
});

for (const headings of [
  'ID.,product_id:,rel._id,duration_id,Prise*',
  'Nr,Produkt,Konfiguration,Laufzeit,Preis',
])
  test(`each heading that is nearly one, or one in another language, is named once: ${headings}`, async () => {
    const { report } = await readFiles(shopWith({ 'prices.csv': `${headings}\n1,1,11,1,5\n` }));
    const told = report.problems.filter(({ file, code }) => file === 'prices.csv' && code !== 'NO_PRICE');
    const columns = HEADINGS.split(',');
    assert.deepEqual(
      told.map(({ message }) => message.split(', and write')[0]),
      headings.split(',').flatMap((heading, index) => {
        const column = columns[index];
        if (heading === column) return [];
        return `the column ${column} is missing, and ${heading} may be it: rename ${heading} to ${column}`;
      }),
    );
  });

test('a configuration has no price after its offer has ended, until the next one begins', async () => {
  const ended = ['1,1,11,1,5,,', '2,1,11,1,5,2020-01-01,yes', '3,1,12,1,5,,', '4,1,12,1,5,2020-01-01,yes'];
  const prices = [...ended, '5,1,12,1,6,2999-01-01,', '6,1,13,1,5,,', '7,2,21,1,5,2020-01-01,'];
  const rows = `${HEADINGS},valid_from,hidden\n${prices.join('\n')}\n`;
  const { report } = await readFiles(shopWith({ 'prices.csv': rows }));
  const told = report.problems.filter(({ code }) => code.startsWith('NO_PRICE'));
  assert.deepEqual(
    told.map(({ message }) => message.split(':')[0]),
    ['configuration 11 has no price', 'configuration 12 has no price until 2999-01-01 00'],
  );
});

test('a report shows the first 100 causes, errors before warnings, and the number of the other problems', async () => {
  const unknown = Array.from({ length: 150 }, (_, index) => `unknown${index}`);
  const rows = ['1,A', 'x,B', '3,'].map(row => row + ','.repeat(unknown.length));
  const files: Files = {
    'products.csv': [`id,name,${unknown.join()}`, ...rows, ''].join('\n'),
    'news.json': [{ id: 'x' }],
  };
  const { report } = await readFiles(shopWith(files));
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

test('problems of a column are told once for each fault and remedy, five at most', async () => {
  const cells = ['1,928', '2,345', 'n/a', 'POA', "'5", '5o', '5-', '4 GB', '١', '5*'];
  const rows = cells.map((cell, index) => `${index + 1},1,11,1,"${cell}"\n`).join('');
  const { report } = await readFiles(shopWith({ 'prices.csv': `${HEADINGS}\n${rows}` }));
  const told = report.problems.filter(({ heading }) => heading === 'price');
  assert.deepEqual(
    told.map(({ cell, count, cells }) => [cell, count, cells?.join(' ')]),
    [
      ['E2', 2, 'E2 E3'],
      ['E4', 2, 'E4 E5'],
      ['E6', undefined, undefined],
      ['E7', undefined, undefined],
      ['E8', undefined, undefined],
      ['E9', undefined, undefined],
      ['E10', 2, 'E10 E11'],
    ],
  );
  const ids = Array.from({ length: 7 }, (_, index) => `{"id": ${index + 1}, "name": 5, "k${index}": 1}`);
  assert.equal((await readFiles({ 'products.json': `[${ids.join()}]` })).report.problems.length, 8);
});

test('a price that a workbook shows otherwise comes before other warnings', () => {
  const { report, summarize } = collectProblems();
  report({ file: 'a.csv', row: 2, heading: 'note' }, 'UNKNOWN_COLUMN', 'is unknown');
  report({ file: 'b.xlsx', row: 3, heading: 'price' }, 'SHOWN_OTHERWISE', 'is shown otherwise');
  const codes = summarize(['a.csv', 'b.xlsx']).problems.map(({ code }) => code);
  assert.deepEqual(codes, ['SHOWN_OTHERWISE', 'UNKNOWN_COLUMN']);
});
