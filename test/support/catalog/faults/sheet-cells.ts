import { type Files, shop } from '../../catalogs.ts';
import { sheetOf } from '../../workbooks/shop-workbook.ts';
import { type Cell, type XlsxOptions, xlsx } from '../../workbooks/xlsx.ts';
import type { Fault } from './fault.ts';

const PRICES = sheetOf(shop['prices.csv'] ?? '');

/** The prices of the shop with another value in one cell, such as E2. */
const withPrice = (name: string, cell: Cell, options?: XlsxOptions): Files => ({
  'prices.xlsx': xlsx(
    {
      prices: PRICES.map((cells, row) =>
        cells.map((old, column) => (`${'ABCDE'[column]}${row + 1}` === name ? cell : old)),
      ),
    },
    options,
  ),
});

/** Faults of the cells of a workbook. */
export const sheetCellFaults: Fault[] = [
  [
    withPrice('E2', 'cheap'),
    'prices.xlsx [prices] E2: error BAD_NUMBER price "cheap": write a plain number such as 12.50',
  ],
  [
    withPrice('A2', 1.5),
    'prices.xlsx [prices] A2: error BAD_ID id 1.5: write a whole number of 1 or more, such as 12',
  ],
  [
    withPrice('E2', '1.928'),
    'prices.xlsx [prices] E2: error AMBIGUOUS_NUMBER price "1.928" may be 1928, or 1 and 928 thousandths: type it again as a number, since the cell holds text',
  ],
  [
    withPrice('E2', '1,928.50'),
    'prices.xlsx [prices] E2: error THOUSANDS_SEPARATOR price "1,928.50" has a thousands separator: type it again as a number, since the cell holds text',
  ],
  [
    withPrice('E2', -5),
    'prices.xlsx [prices] E2: error BAD_NUMBER price -5: write a plain number such as 12.50',
  ],
  [
    withPrice('E2', 0.123456789),
    'prices.xlsx [prices] E2: error BAD_NUMBER price 0.123456789 has too many digits: round it in the sheet with =ROUND(…;2), or =ROUND(…,2) in English',
  ],
  [
    withPrice('E2', { s: 1, xml: '<v>12.345</v>' }, { formats: ['0.00 "€"'] }),
    'prices.xlsx [prices] E2: warning SHOWN_OTHERWISE price 12.345 has the format 0.00 "€", which shows fewer decimals: 12.345 is served; format the column as plain numbers, and check what it shows',
  ],
  [
    withPrice('E2', { s: 1, xml: '<v>46146</v>' }, { formats: ['d-mmm'] }),
    'prices.xlsx [prices] E2: error BAD_NUMBER price 2026-05-04 has the format of a date: set the format of the cell to Number first, then write a plain number such as 12.50',
  ],
  [
    {
      'products.json': null,
      'products.xlsx': xlsx(
        {
          products: [
            ['id', 'name'],
            [1, { s: 1, xml: '<v>46146</v>' }],
            [2, 'Web'],
            [3, 'Mail'],
          ],
        },
        { formats: ['d-mmm'] },
      ),
    },
    'products.xlsx [products] B2: error BAD_TEXT name 2026-05-04 is a date or a time with the format d-mmm: format the column as text, and type it again',
  ],
  [
    {
      'products.json': null,
      'products.xlsx': xlsx(
        {
          products: [
            ['id', 'name'],
            [1, 'Cloud'],
            [
              { s: 1, xml: '<v>2</v>' },
              { s: 1, t: 'str', xml: '<v>Web</v>' },
            ],
            [3, 'Mail'],
          ],
        },
        {
          parts: {
            'xl/styles.xml':
              '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts><font><strike val="0"/></font><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>',
          },
        },
      ),
    },
    'products.xlsx [products] row 3: warning STRUCK_OUT this row is struck out, and read all the same: delete it, or remove the line through it',
  ],
  [
    withPrice('E2', 1e300),
    'prices.xlsx [prices] E2: error BAD_NUMBER price 1e+300: write a plain number such as 12.50',
  ],
  [
    withPrice('E2', { s: 1, xml: '<v>45296</v>' }, { formats: ['yyyy-mm-dd'] }),
    'prices.xlsx [prices] E2: error BAD_NUMBER price 2024-01-05 has the format of a date: set the format of the cell to Number first, then write a plain number such as 12.50',
  ],
  [
    withPrice('E2', true),
    'prices.xlsx [prices] E2: error BAD_NUMBER price true: write a plain number such as 12.50',
  ],
  [
    withPrice('E2', { t: 'e', xml: '<f>1/0</f><v>#DIV/0!</v>' }),
    'prices.xlsx [prices] E2: error FORMULA price #DIV/0! is the error of a formula: repair the formula, then save again',
  ],
  [
    withPrice('E2', '#N/A'),
    'prices.xlsx [prices] E2: error FORMULA price "#N/A" is the error of a formula: repair the formula, then save again',
  ],
  [
    withPrice('E2', { xml: '<f>SUM(A1:A2)</f>' }),
    'prices.xlsx [prices] E2: error FORMULA price =SUM(A1:A2) is a formula without a value: open the workbook in your spreadsheet program, and save it there',
  ],
  [
    withPrice('E2', { xml: '<f t="shared" si="0"/>' }),
    'prices.xlsx [prices] E2: error FORMULA price = is a formula without a value: open the workbook in your spreadsheet program, and save it there',
  ],
  [
    withPrice('E2', null),
    'prices.xlsx [prices] E2: error MISSING_VALUE price is missing: write a plain number such as 12.50',
  ],
  [
    withPrice('A2', null),
    'prices.xlsx [prices] A2: error MISSING_VALUE id is missing: write a whole number of 1 or more, such as 12',
  ],
  [
    withPrice('E2', { t: 's', xml: '<v>7</v>' }),
    'prices.xlsx [prices] E2: error BAD_WORKBOOK the workbook is damaged (there is no text 7): open it in your spreadsheet program, and save it again',
  ],
  [
    withPrice('E2', { t: 's', xml: '<v>-1</v>' }),
    'prices.xlsx [prices] E2: error BAD_WORKBOOK the workbook is damaged (there is no text -1): open it in your spreadsheet program, and save it again',
  ],
  [
    withPrice('E2', { t: 'x', xml: '<v>7</v>' }),
    'prices.xlsx [prices] E2: error BAD_WORKBOOK the workbook is damaged (there is no type x): open it in your spreadsheet program, and save it again',
  ],
  [
    withPrice('E2', { xml: '<v>NaN</v>' }),
    'prices.xlsx [prices] E2: error BAD_WORKBOOK the workbook is damaged (NaN is no number): open it in your spreadsheet program, and save it again',
  ],
];
