import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { formatProblem } from '../../src/contract/problems.ts';
import { assertSame, errorsOf, type Form } from '../support/catalog/forms.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { type OdsCell, type OdsRows, ods, rowsXml } from '../support/workbooks/ods.ts';
import { noFiles, sheetOf, shopSheets } from '../support/workbooks/shop-workbook.ts';
import { xlsx } from '../support/workbooks/xlsx.ts';

const PRICES = sheetOf(shop['prices.csv'] ?? '') as OdsCell[][];
const [HEADINGS = [], FIRST = [], ...ROWS] = PRICES;
const cell = (attributes: string, text = '') => ({
  xml: `<table:table-cell ${attributes}>${text}</table:table-cell>`,
});
const repeated = (what: 'rows' | 'columns', times: number) => `table:number-${what}-repeated="${times}"`;
const empty = (times: number) => cell(repeated('columns', times));
const emptyRow = (times: number) =>
  `<table:table-row ${repeated('rows', times)}>${empty(16_384).xml}</table:table-row>`;
const numbersAs = (type: string, text: string) =>
  PRICES.map(cells =>
    cells.map(value =>
      typeof value === 'number'
        ? cell(
            `office:value-type="${type}" office:value="${value.toPrecision(17)}"`,
            `<text:p>${text}</text:p>`,
          )
        : value,
    ),
  );

test('an OpenDocument workbook is read as other forms are', async t => {
  const inParts = (text: string) =>
    cell(
      'office:value-type="string"',
      `<office:annotation><text:p>a note</text:p></office:annotation><text:p>${text.slice(0, 1)}<text:span>${text.slice(1)}</text:span></text:p>`,
    );
  const picture = `<table:shapes><draw:frame>${rowsXml([['x']])}</draw:frame></table:shapes>`;
  const deleted = `<table:tracked-changes>${rowsXml([['x']])}</table:tracked-changes>`;
  const prices: [what: string, rows: OdsRows, options?: Parameters<typeof ods>[1]][] = [
    ['currencies', numbersAs('currency', '1,00 €')],
    ['percentages', numbersAs('percentage', '1 %')],
    [
      'empty cells and rows to the end',
      `${rowsXml(PRICES.map(row => [...row, empty(16_379)]))}${emptyRow(1_048_567)}`,
    ],
    [
      'blank rows in between',
      `${emptyRow(3)}${rowsXml([HEADINGS])}${emptyRow(1)}${rowsXml([FIRST, ...ROWS])}`,
    ],
    [
      'groups',
      `<table:table-header-rows>${rowsXml([HEADINGS])}</table:table-header-rows><table:table-row-group>${rowsXml([FIRST, ...ROWS])}</table:table-row-group>`,
    ],
    ['deleted cells and pictures', `${picture}${rowsXml(PRICES)}`, { before: deleted }],
    [
      'notes and parts of texts',
      PRICES.map(row => row.map(value => (typeof value === 'string' ? inParts(value) : value))),
    ],
  ];
  await assertSame(t, {}, [
    ['one workbook', { ...noFiles, 'catalog.ods': ods(shopSheets() as Record<string, OdsRows>) }],
    ['the name of another kind', { 'prices.xlsx': ods({ Sheet1: PRICES }) }],
    ...prices.map(([what, rows, options]): Form => [what, { 'prices.ods': ods({ prices: rows }, options) }]),
  ]);
});

test('the booleans, dates and texts of an OpenDocument workbook are read by their type', async t => {
  const date = (value: string) => cell(`office:value-type="date" office:date-value="${value}"`);
  const string = (text: string) => cell('office:value-type="string"', text);
  const rows: OdsCell[][] = [
    ['id', 'title', 'content', 'create_time', 'hidden', 'keywords'],
    [1, ' kept  spaces ', 'two\nlines\tand "quotes" & <b>', date('2024-01-05T10:00:00'), false, null],
    [2, 2026, 'x', date('2024-03-01'), true, cell('office:value-type="string" office:string-value="a,b"')],
    [3, 'LibreOffice 7.4', string('<text:p>a</text:p><text:p>  b   c</text:p>'), 1704412800],
    [4, 'by hand', string('<text:p>a \n   b</text:p>'), 1704412800],
  ];
  const plain = [
    [1, ' kept  spaces ', 'two\nlines\tand "quotes" & <b>', '2024-01-05 10:00:00', false, ''],
    [2, '2026', 'x', '2024-03-01', true, 'a,b'],
    [3, 'LibreOffice 7.4', 'a\n  b   c', 1704412800, false, ''],
    [4, 'by hand', 'a b', 1704412800, false, ''],
  ].map(([id, title, content, create_time, hidden, keywords]) => {
    return { id, title, content, create_time, hidden, keywords };
  });
  await assertSame(t, { 'news.json': plain }, [['typed', { 'news.ods': ods({ news: rows }) }]]);
});

/** The problems of the shop with these prices, but for those that follow from others. */
async function problemsOf(t: TestContext, rows: OdsRows, options?: Parameters<typeof ods>[1]) {
  const files = { 'prices.ods': ods({ prices: rows }, options) };
  const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
  const lines = report.problems.map(formatProblem);
  return lines.filter(line => !/ NO_PRICE | NO_IMAGE | DUPLICATE_PRICE /.test(line));
}

const withPrice = (attributes: string, text?: string) => [
  HEADINGS,
  [...FIRST.slice(0, 4), cell(attributes, text)],
  ...ROWS,
];
const errorOf = (text: string) =>
  withPrice(
    'table:formula="of:=1/0" office:value-type="string" calcext:value-type="error"',
    `<text:p>${text}</text:p>`,
  );
const ONE = 'office:value-type="float" office:value="1"';
const damaged = (reason: string) =>
  `: error BAD_WORKBOOK the workbook is damaged (${reason}): open it in your spreadsheet program, and save it again`;
const hiddenStyle =
  '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>';

test('each fault of an OpenDocument workbook is named with its sheet and cell', async t => {
  const faults: [rows: OdsRows, problem: string, options?: Parameters<typeof ods>[1]][] = [
    ...['#DIV/0!', 'Err:502'].map((text): [OdsRows, string] => [
      errorOf(text),
      ` E2: error FORMULA price ${text} is the error of a formula: repair the formula, then save again`,
    ]),
    [
      withPrice('table:formula="of:=SUM([.A1])"'),
      ' E2: error FORMULA price =SUM([.A1]) is a formula without a value: open the workbook in your spreadsheet program, and save it there',
    ],
    [
      withPrice(`table:number-rows-spanned="2" ${ONE}`),
      ' E2: error MERGED_CELLS the cells E2:E3 are merged: unmerge them, and fill in every cell',
    ],
    [
      `${rowsXml(PRICES)}${rowsXml([[200, 1, 12, 1, 1]], () => ` ${repeated('rows', 900_000)}`)}`,
      ' A11: error DUPLICATE_ID id 200 is already used at prices.ods [prices] A10: give each row its own id',
    ],
    [
      withPrice(`${ONE} ${repeated('columns', 16_381)}`),
      ' E2: error TOO_MANY_COLUMNS this row has more than 16384 columns: delete empty and unneeded columns',
    ],
    [
      rowsXml([...PRICES, ...Array(200).fill([1, cell(`${ONE} ${repeated('columns', 16_380)}`)])]),
      ': error FILE_TOO_BIG the cells of this sheet are too far apart: delete what is far right of the table, and columns without values in it',
    ],
    [withPrice('table:number-columns-repeated="x"'), damaged('x is no number of cells')],
    [
      withPrice('office:value-type="string"', '<text:p><text:s text:c="100000"/></text:p>'),
      damaged('100000 is no number of spaces'),
    ],
    [
      `<table:table-column ${repeated('columns', 2)}/><table:table-column table:visibility="collapse"/>${rowsXml(PRICES)}`,
      ' C1: warning HIDDEN_CELLS column C is hidden, and read all the same: show it, or delete it',
    ],
    [
      rowsXml(PRICES, row => (row === 3 ? ' table:visibility="filter"' : '')),
      ' row 3: warning HIDDEN_CELLS this row is hidden or filtered out, and read all the same: show it, or delete it',
    ],
    [
      PRICES,
      ': warning HIDDEN_SHEET this sheet is hidden, and read all the same: show it, or delete it',
      { styles: hiddenStyle, attributes: 'table:style-name="ta1"' },
    ],
  ];
  for (const [rows, problem, options] of faults)
    assert.deepEqual(await problemsOf(t, rows, options), [`prices.ods [prices]${problem}`]);
});

/** Styles of numbers, and where a cell says which one it has. */
const digits = (places: number, more = '') =>
  `<number:number number:decimal-places="${places}" number:min-integer-digits="1" ${more}/>`;
const dataStyle = (inside: string, name = 'N') =>
  `<number:number-style style:name="${name}">${inside}</number:number-style>`;
const cellStyle = (name: string, more: string) =>
  `<style:style style:name="${name}" style:family="table-cell" ${more}/>`;

test('numbers of an OpenDocument workbook are judged by what their styles show', async t => {
  const free = dataStyle('<number:text>free</number:text>', 'P0');
  const map = '<style:map style:condition="value()=0" style:apply-style-name="P0"/>';
  const cases: [price: number, common: string, fault?: string][] = [
    [12.5, dataStyle(digits(2))],
    [12.345, dataStyle(digits(2)), '12.345 has the format 0.00, which shows fewer decimals'],
    [12.345, dataStyle('<number:number number:min-integer-digits="1"/>')],
    [
      4900,
      dataStyle(digits(0, 'number:display-factor="1000" number:grouping="true"')),
      '4900 has the format #,##0,, which shows it in thousands or millions',
    ],
    [2, dataStyle(`${digits(0)}<number:text> GB</number:text>`), '2 has the format 0" GB", which adds "GB"'],
    [2, dataStyle(`${digits(0)}<number:currency-symbol>EUR</number:currency-symbol>`)],
    [
      0,
      `${free}${dataStyle(`${digits(2)}${map}`)}`,
      '0 has the format [=0]"free";0.00, which shows no digits of it',
    ],
  ];
  const ofStyle = (value: number, style?: string) =>
    cell(`office:value-type="float" office:value="${value}" ${style ? `table:style-name="${style}"` : ''}`);
  for (const [price, common, fault] of cases)
    for (const [style, ofColumn] of [
      ['own', ''],
      [undefined, 'own'],
      ['heir', ''],
    ]) {
      const rows = [
        HEADINGS,
        [...FIRST.slice(0, 4), ofStyle(price, style)],
        ...ROWS.map(row => [...row.slice(0, 4), ofStyle(5)]),
      ];
      const columns = `<table:table-column ${repeated('columns', 4)}/><table:table-column table:default-cell-style-name="${ofColumn}"/>`;
      const found = await problemsOf(t, `${columns}${rowsXml(rows)}`, {
        common: `${common}${cellStyle('own', 'style:data-style-name="N"')}`,
        styles: cellStyle('heir', 'style:parent-style-name="own"'),
      });
      const told = found.filter(line => line.includes('] E2: ')).map(line => line.split(': ')[1]);
      const expected = fault === undefined ? [] : [`warning SHOWN_OTHERWISE price ${fault}`];
      assert.deepEqual(told, expected, `${common} ${style} ${ofColumn}`);
    }
});

test('an OpenDocument workbook with a password, and one beside another workbook, are refused', async t => {
  const encrypted = {
    name: 'META-INF/manifest.xml',
    data: '<manifest:manifest xmlns:manifest="m"><manifest:encryption-data/></manifest:manifest>',
  };
  const cases: [files: Files, problem: string][] = [
    [
      { 'prices.ods': ods({ prices: PRICES }, { parts: [encrypted] }) },
      'prices.ods: error BAD_WORKBOOK the workbook is protected by a password: remove the password, and save it again',
    ],
    [
      { 'prices.csv': null, 'catalog.xlsx': xlsx({ prices: [] }), 'catalog.ods': ods({ prices: PRICES }) },
      'catalog.ods [prices]: error TWO_FILES catalog.xlsx exists too: delete it, or this sheet',
    ],
  ];
  for (const [files, problem] of cases) assert.deepEqual(await errorsOf(t, files), [problem]);
});
