import assert from 'node:assert/strict';
import { test } from 'node:test';
import { formatProblem } from '../../src/contract/problems.ts';
import { assertSame, type Form } from '../support/catalog/forms.ts';
import { readSource } from '../support/catalog/read-source.ts';
import { type Files, shop, shopWith, sourceIn, writeFiles } from '../support/catalogs.ts';
import { type OdsCell, type OdsRows, ods, rowsXml } from '../support/workbooks/ods.ts';
import { noFiles, sheetOf, shopSheets } from '../support/workbooks/shop-workbook.ts';
import { xlsx } from '../support/workbooks/xlsx.ts';

const PRICES = sheetOf(shop['prices.csv'] ?? '') as OdsCell[][];
const [HEADINGS = [], ...ROWS] = PRICES;
const sheets = shopSheets() as Record<string, OdsRows>;
const empty = (times: number) => ({ xml: `<table:table-cell table:number-columns-repeated="${times}"/>` });
const emptyRow = (times: number) =>
  `<table:table-row table:number-rows-repeated="${times}"><table:table-cell table:number-columns-repeated="16384"/></table:table-row>`;
const number = (cell: OdsCell, type: string, text = '') =>
  typeof cell === 'number'
    ? {
        xml: `<table:table-cell office:value-type="${type}" office:value="${cell.toPrecision(17)}"><text:p>${text}</text:p></table:table-cell>`,
      }
    : cell;

test('an OpenDocument workbook is read as other forms are', async t => {
  const prices = (rows: OdsRows, options = {}): Files => ({ 'prices.ods': ods({ prices: rows }, options) });
  const forms: Form[] = [
    ['one workbook', { ...noFiles, 'catalog.ods': ods(sheets) }],
    ['one sheet', { 'prices.ods': ods({ Sheet1: PRICES }) }],
    ['currencies', prices(PRICES.map(cells => cells.map(cell => number(cell, 'currency', '1,00 €'))))],
    ['percentages', prices(PRICES.map(cells => cells.map(cell => number(cell, 'percentage', '1 %'))))],
    [
      'empty cells and rows to the end',
      prices(`${rowsXml(PRICES.map(row => [...row, empty(16_379)]))}${emptyRow(1_048_567)}`),
    ],
    ['blank rows in between', prices(`${emptyRow(3)}${rowsXml([HEADINGS])}${emptyRow(1)}${rowsXml(ROWS)}`)],
    [
      'groups',
      prices(
        `<table:table-header-rows>${rowsXml([HEADINGS])}</table:table-header-rows><table:table-row-group>${rowsXml(ROWS)}</table:table-row-group>`,
      ),
    ],
    [
      'deleted cells, links and pictures',
      prices(`<table:shapes><draw:frame>${rowsXml([['x']])}</draw:frame></table:shapes>${rowsXml(PRICES)}`, {
        before: `<table:tracked-changes>${rowsXml([['x']])}</table:tracked-changes>`,
      }),
    ],
    [
      'notes and parts of texts',
      prices(
        PRICES.map(cells =>
          cells.map(cell =>
            typeof cell === 'string'
              ? {
                  xml: `<table:table-cell office:value-type="string"><office:annotation><text:p>a note</text:p></office:annotation><text:p>${cell.slice(0, 1)}<text:span>${cell.slice(1)}</text:span></text:p></table:table-cell>`,
                }
              : cell,
          ),
        ),
      ),
    ],
    ['the name of another kind', { 'prices.xlsx': ods({ prices: PRICES }) }],
  ];
  await assertSame(t, {}, forms);
});

const cell = (xml: string) => ({ xml: `<table:table-cell ${xml}</table:table-cell>` });

test('the booleans, dates and texts of an OpenDocument workbook are read by their type', async t => {
  const date = (value: string) => ({
    xml: `<table:table-cell office:value-type="date" office:date-value="${value}"/>`,
  });
  const rows: OdsCell[][] = [
    ['id', 'title', 'content', 'create_time', 'hidden', 'keywords'],
    [1, ' kept  spaces ', 'two\nlines\tand "quotes" & <b>', date('2024-01-05T10:00:00'), false, null],
    [
      2,
      2026,
      'x',
      date('2024-03-01'),
      true,
      { xml: '<table:table-cell office:value-type="string" office:string-value="a,b"/>' },
    ],
    [
      3,
      'LibreOffice 7.4',
      cell('office:value-type="string"><text:p>a</text:p><text:p>  b   c</text:p>'),
      1704412800,
    ],
    [4, 'by hand', cell('office:value-type="string"><text:p>a \n   b</text:p>'), 1704412800],
  ];
  const plain = [
    {
      id: 1,
      title: ' kept  spaces ',
      content: 'two\nlines\tand "quotes" & <b>',
      create_time: '2024-01-05 10:00:00',
    },
    { id: 2, title: '2026', content: 'x', create_time: '2024-03-01', hidden: true, keywords: 'a,b' },
    { id: 3, title: 'LibreOffice 7.4', content: 'a\n  b   c', create_time: 1704412800 },
    { id: 4, title: 'by hand', content: 'a b', create_time: 1704412800 },
  ];
  await assertSame(t, { 'news.json': plain }, [['typed', { 'news.ods': ods({ news: rows }) }]]);
});

const withPrice = (xml: string) => [HEADINGS, [...(ROWS[0]?.slice(0, 4) ?? []), cell(xml)], ...ROWS.slice(1)];
const faults: [rows: OdsRows, problem: string, options?: Parameters<typeof ods>[1]][] = [
  [
    withPrice(
      'table:formula="of:=1/0" office:value-type="string" calcext:value-type="error"><text:p>#DIV/0!</text:p>',
    ),
    ' E2: error FORMULA price #DIV/0! is the error of a formula: repair the formula, then save again',
  ],
  [
    withPrice(
      'table:formula="of:=x" office:value-type="string" calcext:value-type="error"><text:p>Err:502</text:p>',
    ),
    ' E2: error FORMULA price Err:502 is the error of a formula: repair the formula, then save again',
  ],
  [
    withPrice('table:formula="of:=SUM([.A1])">'),
    ' E2: error FORMULA price =SUM([.A1]) is a formula without a value: open the workbook in your spreadsheet program, and save it there',
  ],
  [
    withPrice('table:number-rows-spanned="2" office:value-type="float" office:value="1">'),
    ' E2: error MERGED_CELLS the cells E2:E3 are merged: unmerge them, and fill in every cell',
  ],
  [
    `${rowsXml(PRICES)}${rowsXml([[200, 1, 12, 1, 1]], () => ' table:number-rows-repeated="900000"')}`,
    ' A11: error DUPLICATE_ID id 200 is already used at prices.ods [prices] A10: give each row its own id',
  ],
  [
    withPrice('office:value-type="float" office:value="1" table:number-columns-repeated="16381">'),
    ' E2: error TOO_MANY_COLUMNS this row has more than 16384 columns: delete empty and unneeded columns',
  ],
  [
    rowsXml([
      ...PRICES,
      ...Array(200).fill([
        1,
        cell('office:value-type="float" office:value="1" table:number-columns-repeated="16380">'),
      ]),
    ]),
    ': error FILE_TOO_BIG the cells of this sheet are too far apart: delete what is far right of the table, and columns without values in it',
  ],
  [
    withPrice('table:number-columns-repeated="x">'),
    ': error BAD_WORKBOOK the workbook is damaged (x is no number of cells): open it in your spreadsheet program, and save it again',
  ],
  [
    withPrice('office:value-type="string"><text:p><text:s text:c="100000"/></text:p>'),
    ': error BAD_WORKBOOK the workbook is damaged (100000 is no number of spaces): open it in your spreadsheet program, and save it again',
  ],
  [
    `<table:table-column table:number-columns-repeated="2"/><table:table-column table:visibility="collapse"/>${rowsXml(PRICES)}`,
    ' C1: warning HIDDEN_CELLS column C is hidden, and read all the same: show it, or delete it',
  ],
  [
    rowsXml(PRICES, row => (row === 3 ? ' table:visibility="filter"' : '')),
    ' row 3: warning HIDDEN_CELLS this row is hidden or filtered out, and read all the same: show it, or delete it',
  ],
  [
    PRICES,
    ': warning HIDDEN_SHEET this sheet is hidden, and read all the same: show it, or delete it',
    {
      styles:
        '<style:style style:name="ta1" style:family="table"><style:table-properties table:display="false"/></style:style>',
      attributes: 'table:style-name="ta1"',
    },
  ],
];

test('each fault of an OpenDocument workbook is named with its sheet and cell', async t => {
  for (const [rows, problem, options] of faults) {
    const files = { 'prices.ods': ods({ prices: rows }, options) };
    const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
    const lines = report.problems
      .map(formatProblem)
      .filter(line => !/ NO_PRICE | NO_IMAGE | DUPLICATE_PRICE /.test(line));
    assert.deepEqual(lines, [`prices.ods [prices]${problem}`]);
  }
});

/** Styles of numbers, and where a cell says which one it has. */
const digits = (places: number, more = '') =>
  `<number:number number:decimal-places="${places}" number:min-integer-digits="1" ${more}/>`;
const dataStyle = (name: string, inside: string) =>
  `<number:number-style style:name="${name}">${inside}</number:number-style>`;
const ofStyle = (value: number, style?: string) =>
  cell(`office:value-type="float" office:value="${value}" ${style ? `table:style-name="${style}"` : ''}>`);
const cellStyle = (name: string, more: string) =>
  `<style:style style:name="${name}" style:family="table-cell" ${more}/>`;

test('numbers of an OpenDocument workbook are judged by what their styles show', async t => {
  const free = dataStyle('P0', '<number:text>free</number:text>');
  const cases: [price: number, common: string, fault?: string][] = [
    [12.5, dataStyle('N', digits(2))],
    [12.345, dataStyle('N', digits(2)), '12.345 has the format 0.00, which shows fewer decimals'],
    [12.345, dataStyle('N', '<number:number number:min-integer-digits="1"/>')],
    [
      4900,
      dataStyle('N', digits(0, 'number:display-factor="1000" number:grouping="true"')),
      '4900 has the format #,##0,, which shows it in thousands or millions',
    ],
    [
      2,
      dataStyle('N', `${digits(0)}<number:text> GB</number:text>`),
      '2 has the format 0" GB", which adds "GB"',
    ],
    [2, dataStyle('N', `${digits(0)}<number:currency-symbol>EUR</number:currency-symbol>`)],
    [
      0,
      `${free}${dataStyle('N', `${digits(2)}<style:map style:condition="value()=0" style:apply-style-name="P0"/>`)}`,
      '0 has the format [=0]"free";0.00, which shows no digits of it',
    ],
  ];
  const ways: [what: string, cell: string | undefined, columns: string][] = [
    ['of the cell', 'own', ''],
    ['of the column', undefined, 'own'],
    ['of the parent', 'heir', ''],
  ];
  for (const [price, common, fault] of cases)
    for (const [what, style, ofColumn] of ways) {
      const rows = [
        HEADINGS,
        [...(ROWS[0]?.slice(0, 4) ?? []), ofStyle(price, style)],
        ...ROWS.slice(1).map(row => [...row.slice(0, 4), ofStyle(5)]),
      ];
      const columns = `<table:table-column table:number-columns-repeated="4"/><table:table-column table:default-cell-style-name="${ofColumn}"/>`;
      const styles = {
        common: `${common}${cellStyle('own', 'style:data-style-name="N"')}`,
        styles: cellStyle('heir', 'style:parent-style-name="own"'),
      };
      const files = { 'prices.ods': ods({ prices: `${columns}${rowsXml(rows)}` }, styles) };
      const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
      const found = report.problems.flatMap(({ code, message, cell }) =>
        code === 'SHOWN_OTHERWISE' && cell === 'E2' ? [message.split(':')[0]] : [],
      );
      assert.deepEqual(found, fault === undefined ? [] : [`price ${fault}`], `${common} ${what}`);
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
  for (const [files, problem] of cases) {
    const { report } = await readSource(sourceIn(await writeFiles(t, shopWith(files))));
    assert.deepEqual(
      report.problems.map(formatProblem).filter(line => line.includes('error')),
      [problem],
    );
  }
});
