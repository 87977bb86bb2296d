import { type Files, shop } from '../../catalogs.ts';
import { noFiles, sheetOf, shopSheets } from '../../workbooks/shop-workbook.ts';
import { type SheetRows, type XlsxOptions, xlsx } from '../../workbooks/xlsx.ts';
import type { Fault } from './fault.ts';

const PRICES = sheetOf(shop['prices.csv'] ?? '');
const NEWS = sheetOf(shop['news.json'] ?? '');
const [HEADINGS = [], ...ROWS] = PRICES;
const TYPES = Array.from({ length: 30 }, (_, index) => [index + 1, `Type ${index + 1}`]);

const prices = (rows: SheetRows, options?: XlsxOptions): Files => ({
  'prices.xlsx': xlsx({ prices: rows }, options),
});

/** The headings, and other rows as XML. */
const rowXml = (content: string) =>
  `<sheetData><row r="1">${HEADINGS.map(heading => `<c t="str"><v>${heading}</v></c>`).join('')}</row>${content}</sheetData>`;

/** The prices as XML, each row with attributes of its own. */
const rowsXml = (attributes = (_number: number) => '') => {
  const cells = (row: (typeof PRICES)[number]) =>
    row.map(cell => `<c t="${typeof cell === 'number' ? 'n' : 'str'}"><v>${cell}</v></c>`).join('');
  return `<sheetData>${PRICES.map((row, index) => `<row${attributes(index + 1)}>${cells(row)}</row>`).join('')}</sheetData>`;
};

/** Faults of the sheets of a workbook, and of what they hold besides their rows. */
export const sheetFaults: Fault[] = [
  [
    prices(PRICES.map((cells, row) => (row === 3 ? [...cells, null, 'note'] : cells))),
    'prices.xlsx [prices] G4: error RAGGED_ROW "note" is in column G, which has no heading: clear the cell or give the column a heading',
  ],
  [
    {
      'news_types.xlsx': xlsx({
        news_types: [['id', 'name'], ...TYPES, [31, 'Last', ...Array(100).fill(null), 'note', 'more']],
      }),
    },
    'news_types.xlsx [news_types] CY32: error RAGGED_ROW "note" is in column CY, which has no heading: clear the cell or give the column a heading',
  ],
  [
    prices(`${rowsXml()}<mergeCells><mergeCell ref="B2:B5"/></mergeCells>`),
    'prices.xlsx [prices] B2: error MERGED_CELLS the cells B2:B5 are merged: unmerge them, and fill in every cell',
  ],
  [
    prices([...PRICES, ['Total', null, null, null, { s: 1, xml: '<v>12.345</v>' }]], { formats: ['0.00'] }),
    `prices.xlsx [prices] row ${PRICES.length + 1}: error NOT_A_ROW this row has only "Total" and 12.345: if it is a total or a note, delete it, or move it to another sheet`,
  ],
  [
    prices([['Prices of 2026'], ...PRICES]),
    'prices.xlsx [prices] row 1: error TITLE_ROW the column headings seem to be in row 2: delete the rows above them',
  ],
  [
    prices(ROWS),
    'prices.xlsx [prices] row 1: error NO_HEADINGS this row has none of the column headings: write id, product_id, rel_id, duration_id, price, rel_type, one in each cell',
  ],
  [prices([]), 'prices.xlsx [prices]: error EMPTY_FILE the sheet is empty: write a row of column headings'],
  [
    prices(PRICES.map(cells => cells.slice(0, 4))),
    'prices.xlsx [prices] row 1: error MISSING_COLUMN there is no column with the heading price: add it',
  ],
  [
    prices(PRICES.map(cells => [...cells, cells[4] ?? null])),
    'prices.xlsx [prices] F1: error DUPLICATE_COLUMN two columns have the heading price: delete one of them',
  ],
  [
    prices(PRICES.map(cells => [...cells.slice(0, 4), null, ...cells.slice(4)])),
    'prices.xlsx [prices] E1: error BLANK_COLUMN the column has no heading: write one of id, product_id, rel_id, duration_id, price, rel_type, or delete the column',
  ],
  [
    prices(PRICES.map((cells, row) => [...cells, row === 0 ? 'currency' : 'EUR'])),
    'prices.xlsx [prices] F1: warning UNKNOWN_COLUMN column currency is unknown and ignored: known columns are id, product_id, rel_id, duration_id, price, rel_type',
  ],
  [
    prices(PRICES, { states: { prices: 'state="veryHidden"' } }),
    'prices.xlsx [prices]: warning HIDDEN_SHEET this sheet is hidden, and read all the same: show it, or delete it',
  ],
  [
    prices(`<cols><col min="2" max="2" hidden="1"/></cols>${rowsXml()}`),
    'prices.xlsx [prices] B1: warning HIDDEN_CELLS column B is hidden, and read all the same: show it, or delete it',
  ],
  [
    prices(rowsXml(number => (number === 3 || number === 5 ? ' hidden="1"' : ''))),
    'prices.xlsx [prices] row 3: warning HIDDEN_CELLS this row is hidden or filtered out, and read all the same: show it, or delete it (2 rows: row 3, row 5)',
  ],
  [
    prices(rowXml('<row r="1048577"><c><v>1</v></c></row>')),
    'prices.xlsx [prices]: error TOO_MANY_ROWS the file has more than 1048576 rows: delete empty and unneeded rows',
  ],
  [
    prices(rowXml('<row r="2"><c r="A9999999"><v>1</v></c></row>')),
    'prices.xlsx [prices] A9999999: error TOO_MANY_ROWS the file has more than 1048576 rows: delete empty and unneeded rows',
  ],
  [
    prices(rowXml('<row r="2"><c r="XFE2"><v>1</v></c></row>')),
    'prices.xlsx [prices] XFE2: error TOO_MANY_COLUMNS this row has more than 16384 columns: delete empty and unneeded columns',
  ],
  [
    prices(rowXml('<row r="2"><c r="ZZZZ2"><v>1</v></c></row>')),
    'prices.xlsx [prices] ZZZZ2: error TOO_MANY_COLUMNS this row has more than 16384 columns: delete empty and unneeded columns',
  ],
  [
    prices(rowXml(`<row r="2">${'<c><v>1</v></c>'.repeat(20000)}</row>`)),
    'prices.xlsx [prices] XFE2: error TOO_MANY_COLUMNS this row has more than 16384 columns: delete empty and unneeded columns',
  ],
  [
    prices(rowXml('<row r="5"/><row r="4"/>')),
    'prices.xlsx [prices]: error BAD_WORKBOOK the workbook is damaged (row 4 follows row 5): open it in your spreadsheet program, and save it again',
  ],
  [
    prices(rowXml('<row r="5"/><row r="5"/>')),
    'prices.xlsx [prices]: error BAD_WORKBOOK the workbook is damaged (row 5 follows row 5): open it in your spreadsheet program, and save it again',
  ],
  [
    prices(rowXml('<row r="0"/>')),
    'prices.xlsx [prices]: error BAD_WORKBOOK the workbook is damaged (row 0 follows row 1): open it in your spreadsheet program, and save it again',
  ],
  [
    prices(rowXml('<row r="2"><c r="B2"/><c r="A2"/></row>')),
    'prices.xlsx [prices] A2: error BAD_WORKBOOK the workbook is damaged (A2 is in a wrong place): open it in your spreadsheet program, and save it again',
  ],
  [
    prices(rowXml('<row r="2"><c r="B3"/></row>')),
    'prices.xlsx [prices] B3: error BAD_WORKBOOK the workbook is damaged (B3 is in a wrong place): open it in your spreadsheet program, and save it again',
  ],
  [
    prices(rowXml('<row r="2"><c r="2B"/></row>')),
    'prices.xlsx [prices]: error BAD_WORKBOOK the workbook is damaged (2B is no cell): open it in your spreadsheet program, and save it again',
  ],
  [
    prices(`${rowsXml()}<mergeCells><mergeCell ref="x"/></mergeCells>`),
    'prices.xlsx [prices]: error BAD_WORKBOOK the workbook is damaged (x is no cell): open it in your spreadsheet program, and save it again',
  ],
  [
    { 'prices.xlsx': xlsx({ prices: PRICES, PRICES }) },
    'prices.xlsx: error TWO_SHEETS two sheets have the name of a catalog, prices and PRICES: rename or delete one of the two',
  ],
  [
    { 'prices.xlsx': xlsx({ A: PRICES, B: [] }) },
    'prices.xlsx: error NO_SHEET none of the sheets (A, B) is named prices: give the one with the prices this name',
  ],
  [
    { ...noFiles, 'catalog.xlsx': xlsx({ A: PRICES, B: [] }) },
    'catalog.xlsx: error NO_SHEET none of the sheets (A, B) has the name of a catalog: give them names such as products and prices',
  ],
  [
    { ...noFiles, 'catalog.xlsx': xlsx({ ...shopSheets(), 'news (2)': [] }) },
    'catalog.xlsx [news (2)]: warning NOT_READ this sheet is not read: name it news, or delete it',
  ],
  [
    { 'products.json': null, 'prices.csv': null, 'catalog.xlsx': xlsx({ prices: PRICES }) },
    'catalog.xlsx [products]: error MISSING_FILE there is no sheet named products, but configurations refer to it: add it, or a file such as products.csv',
  ],
  [
    { 'catalog.xlsx': xlsx({ prices: PRICES }) },
    'catalog.xlsx [prices]: error TWO_FILES prices.csv exists too: delete it, or this sheet',
  ],
  [
    { ...prices(PRICES), 'prices.csv': 'x' },
    'prices.xlsx: error TWO_FILES prices.csv exists too: delete one of the two',
  ],
  [
    { 'products.json': null, 'catalog.xlsx': 'x' },
    'catalog.xlsx: error BAD_WORKBOOK this is not a workbook: save it again as "Excel workbook (.xlsx)", or give the file the name that fits what it is',
  ],
  [
    { ...noFiles, 'catalog.xlsx': xlsx({ ...shopSheets(), prices: [...PRICES, [101, 2, 21, 1, 2]] }) },
    'catalog.xlsx [prices] A10: error DUPLICATE_ID id 101 is already used at catalog.xlsx [prices] A2: give each row its own id',
  ],
  [
    { ...noFiles, 'catalog.xlsx': xlsx({ ...shopSheets(), prices: [...PRICES, [109, 9, 11, 1, 2]] }) },
    'catalog.xlsx [prices] B10: error UNKNOWN_REFERENCE product_id 9 is not in catalog.xlsx [products]: write an id from there, or add a row with this id',
  ],
  [
    {
      'news.xlsx': xlsx({
        news: NEWS.map((cells, row) =>
          row === 1
            ? cells.map((cell, column) => (NEWS[0]?.[column] === 'create_time' ? 45296 : cell))
            : cells,
        ),
      }),
    },
    "news.xlsx [news] G2: error BAD_TIME create_time 45296 looks like a spreadsheet's number for 2024-01-05: format the column as yyyy-mm-dd",
  ],
  [
    {
      'news.xlsx': xlsx({
        news: NEWS.map((cells, row) =>
          row === 1
            ? cells.map((cell, column) => (NEWS[0]?.[column] === 'create_time' ? '03/04/2026' : cell))
            : cells,
        ),
      }),
    },
    'news.xlsx [news] G2: error BAD_TIME create_time "03/04/2026" may be 3 April or 4 March 2026: write 2026-04-03 or 2026-03-04',
  ],
  [
    { 'prices.csv': xlsx({ prices: PRICES }) },
    'prices.csv:1:1: error WORKBOOK this is a workbook with another name: open it in your spreadsheet program, and save it as an Excel workbook with the name prices.xlsx',
  ],
];
