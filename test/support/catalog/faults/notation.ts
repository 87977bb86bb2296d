import { shop } from '../../catalogs.ts';
import { type Fault, prices, products } from './fault.ts';

/** Faults of files, encodings and CSV. */
export const notationFaults: Fault[] = [
  [
    { 'configurations.csv': null },
    'configurations.csv: error MISSING_FILE this file is missing, but prices refer to it: add configurations.csv, configurations.json or configurations.xlsx',
  ],
  [
    { ...shop, 'products.csv': 'id,name\n1,A\n' },
    'products.csv: error TWO_FILES products.json exists too: delete one of the two',
  ],

  [
    { 'products.csv': Buffer.from('id,name\n1,\xe9t\xe9\n2,B\n3,C\n', 'latin1') },
    'products.csv:2:3: error BAD_ENCODING B2, characters in an old encoding (probably Windows): save the file as "CSV UTF-8", or ask your administrator to set CSV_ENCODING',
  ],
  [
    { 'products.csv': Buffer.from('id,name\n1,A\n\xe9,B\n3,C\n', 'latin1') },
    'products.csv:3:1: error BAD_ENCODING A3, characters in an old encoding (probably Windows): save the file as "CSV UTF-8", or ask your administrator to set CSV_ENCODING',
  ],
  [
    { 'products.csv': Buffer.concat([Buffer.from('\uFEFFid,name\n1,\uFFFD'), Buffer.from([0xff])]) },
    'products.csv:2:4: error BAD_ENCODING B2, a damaged character: type it again, then save the file as "CSV UTF-8"',
  ],
  [
    { 'products.csv': Buffer.from('504b0304140006000800', 'hex') },
    'products.csv:1:1: error WORKBOOK this is a workbook with another name: open it in your spreadsheet program, and save it as an Excel workbook with the name products.xlsx',
  ],
  [
    { 'products.json': Buffer.from('d0cf11e0a1b11ae1', 'hex') },
    'products.json:1:1: error WORKBOOK this is a workbook with another name: open it in your spreadsheet program, and save it as an Excel workbook with the name products.xlsx',
  ],
  [
    { 'products.csv': '\n <!DOCTYPE html>\n<html><body>404</body></html>\n' },
    'products.csv:2:2: error WEB_PAGE this is a web page, such as a login or error page, and not a table: sign in, and download the file again',
  ],
  [
    { 'products.csv': Buffer.from('id,name\n1,A\n', 'utf16le') },
    'products.csv:1:2: error NUL_BYTE this is not a text file, or it is damaged from here: save it again as "CSV UTF-8"',
  ],
  [
    { 'products.csv': Buffer.concat([Buffer.from('\uFEFFid,name\n1,A', 'utf16le'), Buffer.from('B')]) },
    'products.csv:2:4: error BAD_ENCODING B2, a damaged character: type it again, then save the file as "CSV UTF-8"',
  ],
  [
    { 'products.csv': 'id,name\n<<<<<<< HEAD\n1,A\n=======\n1,B\n>>>>>>> main\n2,B\n' },
    'products.csv:2:1: error MERGE_CONFLICT the changes of two people stand here side by side: keep one of the two versions, and delete the lines that begin with <<<<<<<, ======= and >>>>>>>',
  ],

  [
    { 'prices.csv': '' },
    'prices.csv:1:1: error EMPTY_FILE the file is empty: write a row of column headings',
  ],
  [
    { 'prices.csv': '\n \r\n\n' },
    'prices.csv:1:1: error EMPTY_FILE the file is empty: write a row of column headings',
  ],
  [
    { 'prices.csv': 'id,product_id,rel_id,price\n101,1,11,5\n' },
    'prices.csv:1:1: error MISSING_COLUMN row 1: there is no column with the heading duration_id: add it',
  ],
  ...(
    [
      ['a heading with a unit', 'id,product_id,rel_id,duration_id,price (EUR)', 'price (EUR)'],
      ['a heading in another language', 'id,product_id,rel_id,duration_id,Preis', 'Preis'],
    ] as const
  ).map(
    ([, headings, heading]): Fault => [
      { 'prices.csv': `${headings}\n` },
      `prices.csv:1:34: error MISSING_COLUMN E1, the heading ${heading} is not that of a column: if it is price, rename it to price, and write the values as that column has them`,
    ],
  ),
  [
    { 'products.csv': 'name\nCloud server\n' },
    'products.csv:1:1: error MISSING_COLUMN row 1: there is no column with the heading id: add it',
  ],
  [
    { 'prices.csv': 'Prices 2026;;;;\r\n\r\nID;Product ID;rel-id;durationId;PRICE\r\n101;1;11;1;5\r\n' },
    'prices.csv:1:1: error TITLE_ROW row 1: the column headings seem to be in row 3: delete the rows above them',
  ],
  [
    { 'prices.csv': '101,1,11,1,5\n102,1,12,1,5\n103,x,1,1,5\n' },
    'prices.csv:1:1: error NO_HEADINGS row 1: this row has none of the column headings: write id, product_id, rel_id, duration_id, price, rel_type, one in each cell',
  ],
  [
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price, ID \n101,1,11,1,5,6\n' },
    'prices.csv:1:40: error DUPLICATE_COLUMN F1, two columns have the heading id: delete one of them',
  ],
  [
    { 'prices.csv': 'id,product_id,rel_id,,duration_id,price\n101,1,11,,1,5\n' },
    'prices.csv:1:22: error BLANK_COLUMN D1, the column has no heading: write one of id, product_id, rel_id, duration_id, price, rel_type, or delete the column',
  ],
  [
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price,__proto__\n101,1,11,1,5,6\n' },
    'prices.csv:1:40: error FORBIDDEN_COLUMN F1, a column cannot be named __proto__: delete it',
  ],
  [
    { 'prices.csv': 'id,product_id,rel_id,duration_id,price,,\n101,1,11,1,5,,\n102,1,12,1,5,6,\n' },
    'prices.csv:3:14: error RAGGED_ROW F3, "6" is in column F, which has no heading: clear the cell or give the column a heading; if a cell of this row contains a comma, put that cell in quotes',
  ],
  [
    { 'prices.csv': 'id;product_id;rel_id;duration_id;price\n101;1;11;1;5\n102;1;12;1\n' },
    'prices.csv:3:1: error RAGGED_ROW row 3: this row has 4 cells under 5 headings: write a semicolon after every cell but the last, even after an empty one',
  ],
  [
    { 'prices.csv': 'sep=;\r\nid;product_id;rel_id;duration_id;price\r\n"101";"1";11;1;x\r\n' },
    'prices.csv:3:16: error BAD_NUMBER E2, price "x": write a plain number such as 12.50',
  ],
  [
    prices('102,1,12,1,5,00'),
    'prices.csv:3:14: error RAGGED_ROW F3, "00" is in column F, which has no heading: clear the cell or give the column a heading; if a cell of this row contains a comma, put that cell in quotes',
  ],
  [
    { 'products.csv': 'id,name\n\r\n\n"1,A\n' },
    'products.csv:4:1: error UNCLOSED_QUOTE A4, the quote that opens this cell is never closed: add the closing "',
  ],
  [
    { 'prices.csv': '\n\nid,product_id,rel_id,duration_id,price\n\n\n\nx,1,11,1,5\n' },
    'prices.csv:7:1: error BAD_ID A7, id "x": write a whole number of 1 or more, such as 12',
  ],
  [
    prices('102,1,12'),
    'prices.csv:3:1: error RAGGED_ROW row 3: this row has 3 cells under 5 headings: write a comma after every cell but the last, even after an empty one',
  ],
  [
    { 'products.csv': `id,name\n1,A\n2,B${','.repeat(2 ** 14)}\n` },
    'products.csv:3:1: error TOO_MANY_COLUMNS this row has more than 16384 columns: delete empty and unneeded columns',
  ],
  [
    prices('102,1,"12,1,5\n103,1,13,1,5'),
    'prices.csv:3:7: error UNCLOSED_QUOTE C3, the quote that opens this cell is never closed: add the closing "',
  ],
  [
    { 'products.csv': 'id,name\n1,"19" rack"\n2,B\n' },
    'products.csv:2:3: error STRAY_QUOTE B2, this cell contains a quote: put the whole cell in quotes, and write "" for each quote inside it',
  ],
  [
    { 'products.csv': 'id,name\n1,19" rack\n2,B\n' },
    'products.csv:2:3: error STRAY_QUOTE B2, this cell contains a quote: put the whole cell in quotes, and write "" for each quote inside it',
  ],
];

/** Faults of millions of characters, which take seconds. */
export const hugeFaults: readonly Fault[] = [
  [
    { 'products.csv': `id,name\n1,A\n${','.repeat(10_000_001)}\n` },
    'products.csv:3:1: error LINE_TOO_LONG this line has more than 10000000 characters: check what wrote the file, and save it again',
  ],
  [
    { 'products.csv': `id,name\n1,A\n${',\n'.repeat(2 ** 20)}` },
    'products.csv:1048577:1: error TOO_MANY_ROWS the file has more than 1048576 rows: delete empty and unneeded rows',
  ],
  [
    products(`[${'{},'.repeat(2 ** 20)}{}]`),
    'products.json:1:3145730: error TOO_MANY_ROWS the file has more than 1048576 rows: delete empty and unneeded rows',
  ],
];
