import { readFileSync } from 'node:fs';
import { type Files, shop } from '../../catalogs.ts';
import { noFiles, sheetOf, shopSheets } from '../../workbooks/shop-workbook.ts';
import { type Cell, type SheetRows, type XlsxOptions, xlsx } from '../../workbooks/xlsx.ts';
import type { Options } from '../forms.ts';

/** One fault: the files that have it (the others are those of the shop), what is told of it, and the settings that it needs. */
export type Fault = [files: Files, told: string, options?: Options];

const PRICES = 'id,product_id,rel_id,duration_id,price\n';
const SHEET = sheetOf(shop['prices.csv'] ?? '');
const [HEADINGS = []] = SHEET;
const rowXml = (cells: readonly Cell[], attributes = '') =>
  `<row${attributes}>${cells.map(cell => `<c t="${typeof cell === 'number' ? 'n' : 'str'}"><v>${cell}</v></c>`).join('')}</row>`;
const sheet = (rows: SheetRows, options?: XlsxOptions) => xlsx({ prices: rows }, options);
const inSheet = (rows: SheetRows, options?: XlsxOptions): Files => ({ 'prices.xlsx': sheet(rows, options) });

/** The prices of the shop with another value in one cell: `E2 "cheap"`, or `E2 {"s":1,"xml":"<v>1</v>"} | 0.00 "€"`. */
function sheetWith(line: string): Buffer {
  const [, name, json = '', format] = /^(\w+) (.*?)(?: \| (.*))?$/.exec(line) ?? [];
  const cells = SHEET.map((row, at) =>
    row.map((cell, column) => (`${'ABCDE'[column]}${at + 1}` === name ? JSON.parse(json) : cell)),
  );
  return sheet(cells, { formats: format === undefined ? [] : [format] });
}

/** Words in place of the name of a file in a table of faults: which file they stand for, and what it has. */
const words: Record<string, (text: string) => [file: string, content: string | Buffer]> = {
  /** The second row of the prices. */
  prices: row => ['prices.csv', `${PRICES}101,1,11,1,5\n${row}\n`],
  /** Lines of front matter from the third line on, and a text from the fifth line on. */
  front: lines => ['news/7-item.md', `---\ncreate_time: 2024-01-05\n${lines}---\n# Title\n\nText\n`],
  body: text => ['news/7-item.md', `---\ncreate_time: 2024-01-05\ntitle: Title\n---\n${text}`],
  /** The bytes of a file, a character each. */
  bytes: line => [line.replace(/ .*/s, ''), Buffer.from(line.replace(/^\S+ /, ''), 'latin1')],
  cell: line => ['prices.xlsx', sheetWith(line)],
  /** Rows below the headings, and what comes after all rows. */
  rows: xml => ['prices.xlsx', sheet(`<sheetData>${rowXml(HEADINGS, ' r="1"')}${xml}</sheetData>`)],
  after: xml => [
    'prices.xlsx',
    sheet(`<sheetData>${SHEET.map(row => rowXml(row)).join('')}</sheetData>${xml}`),
  ],
};

/**
 * Reads a table of faults: the name of a file and its content, with \n for line breaks, \(x\)9; for xxxxxxxxx and - for no
 * file, in a line for each file; then, indented, what is told, without the name where it is the last file's.
 */
function tableOf(name: string): Fault[] {
  const faults: Fault[] = [];
  let [files, last]: [Files, string] = [{}, ''];
  for (const line of readFileSync(new URL(name, import.meta.url), 'utf8').split('\n')) {
    const [, word = '', rest = ''] = /^([^ #]\S*) ?(.*)$/.exec(line) ?? [];
    if (line.startsWith('  ')) {
      const isOfLast = /^(\d|\[|error|warning)/.test(line.trim());
      const sign = /^(\d)/.test(line.trim()) ? ':' : line.includes('  [') ? ' ' : ': ';
      faults.push([files, isOfLast ? last + sign + line.trim() : line.trim()]);
      files = {};
    } else if (word !== '') {
      const whole = rest.replace(/\\\((.*?)\\\)(\d+);/g, (_, part, times) => part.repeat(times));
      const text = whole.replace(/\\(?:u(\w{4})|(.))/g, (_, code, sign) =>
        code
          ? String.fromCharCode(Number.parseInt(code, 16))
          : ({ n: '\n', r: '\r', t: '\t' }[String(sign)] ?? sign),
      );
      const [file, content] = words[word]?.(text) ?? [word, text === '-' ? null : text];
      last = file;
      files = { ...files, ...(file.startsWith('news/') && { 'news.json': null }), [file]: content };
    }
  }
  return faults;
}

const BERLIN: Options = { timeZone: 'Europe/Berlin' };

/** Faults beside another file, or that need a setting. */
const others: Fault[] = [
  [
    { 'news/1.md': '---\nid: 1\ncreate_time: 2024-01-05\n---\n# Title\n\nText\n' },
    'news/1.md:2:5: error DUPLICATE_ID id 1 is already used at news.json:3:11: give each row its own id',
  ],
  [
    { 'news.csv': 'id,title,content,create_time\n1,A,B,2024-01-05\n2,A,B, 2026-03-29 2:30\n' },
    'news.csv:3:7: warning SKIPPED_TIME D3, create_time 2026-03-29 02:30:00 does not exist in Europe/Berlin, because the clocks go forward: 2026-03-29 03:30:00 is served; write the time that you mean',
    BERLIN,
  ],
];

const STRUCK =
  '<styleSheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"><fonts><font><strike val="0"/></font><font><strike/></font></fonts><cellXfs><xf fontId="0"/><xf fontId="1"/></cellXfs><dxfs><dxf><font><strike/></font></dxf></dxfs></styleSheet>';
const catalog = (sheets: Record<string, SheetRows>): Files => ({ ...noFiles, 'catalog.xlsx': xlsx(sheets) });
const products = (cell: Cell, name: Cell, options: XlsxOptions): Files => ({
  'products.json': null,
  'products.xlsx': xlsx(
    {
      products: [
        ['id', 'name'],
        [1, 'Cloud'],
        [cell, name],
        [3, 'Mail'],
      ],
    },
    options,
  ),
});
const news = (time: Cell): Files => {
  const [names = [], ...rows] = sheetOf(shop['news.json'] ?? '');
  const at = names.indexOf('create_time');
  return {
    'news.xlsx': xlsx({ news: [names, ...rows.map((row, index) => (index ? row : row.with(at, time)))] }),
  };
};

/** Faults of whole sheets and workbooks. */
const sheets: Fault[] = [
  [
    inSheet(SHEET.map((cells, row) => (row === 3 ? [...cells, null, 'note'] : cells))),
    'prices.xlsx [prices] G4: error RAGGED_ROW "note" is in column G, which has no heading: clear the cell or give the column a heading',
  ],
  [
    inSheet([...SHEET, ['Total', null, null, null, { s: 1, xml: '<v>12.345</v>' }]], { formats: ['0.00'] }),
    `prices.xlsx [prices] row ${SHEET.length + 1}: error NOT_A_ROW this row has only "Total" and 12.345: if it is a total or a note, delete it, or move it to another sheet`,
  ],
  [
    inSheet([['Prices of 2026'], ...SHEET]),
    'prices.xlsx [prices] row 1: error TITLE_ROW the column headings seem to be in row 2: delete the rows above them',
  ],
  [inSheet([]), 'prices.xlsx [prices]: error EMPTY_FILE the sheet is empty: write a row of column headings'],
  [
    inSheet(SHEET, { states: { prices: 'state="veryHidden"' } }),
    'prices.xlsx [prices]: warning HIDDEN_SHEET this sheet is hidden, and read all the same: show it, or delete it',
  ],
  [
    inSheet(
      `<cols><col min="2" max="2" hidden="1"/></cols><sheetData>${SHEET.map(row => rowXml(row)).join('')}</sheetData>`,
    ),
    'prices.xlsx [prices] B1: warning HIDDEN_CELLS column B is hidden, and read all the same: show it, or delete it',
  ],
  [
    inSheet(
      `<sheetData>${SHEET.map((row, at) => rowXml(row, at === 2 || at === 4 ? ' hidden="1"' : '')).join('')}</sheetData>`,
    ),
    'prices.xlsx [prices] row 3: warning HIDDEN_CELLS this row is hidden or filtered out, and read all the same: show it, or delete it (2 rows: row 3, row 5)',
  ],
  [
    inSheet(
      `<sheetData>${rowXml(HEADINGS, ' r="1"')}<row r="2">${'<c><v>1</v></c>'.repeat(20000)}</row></sheetData>`,
    ),
    'prices.xlsx [prices] XFE2: error TOO_MANY_COLUMNS this row has more than 16384 columns: delete empty and unneeded columns',
  ],
  [
    products(2, { s: 1, xml: '<v>46146</v>' }, { formats: ['d-mmm'] }),
    'products.xlsx [products] B3: error BAD_TEXT name 2026-05-04 is a date or a time with the format d-mmm: format the column as text, and type it again',
  ],
  [
    products(
      { s: 1, xml: '<v>2</v>' },
      { s: 1, t: 'str', xml: '<v>Web</v>' },
      { parts: { 'xl/styles.xml': STRUCK } },
    ),
    'products.xlsx [products] row 3: warning STRUCK_OUT this row is struck out, and read all the same: delete it, or remove the line through it',
  ],
  [
    news(45296),
    'news.xlsx [news] G2: error BAD_TIME create_time 45296: write a date such as 2026-03-31 or 2026-03-31 18:00:00; in a spreadsheet, format the column as yyyy-mm-dd',
  ],
  [
    news('03/04/2026'),
    'news.xlsx [news] G2: error BAD_TIME create_time "03/04/2026": write 2026-04-03 or 2026-03-04',
  ],
  [
    { 'prices.xlsx': xlsx({ prices: SHEET, PRICES: SHEET }) },
    'prices.xlsx: error TWO_SHEETS two sheets have the name of a catalog, prices and PRICES: rename or delete one of the two',
  ],
  [
    { 'prices.xlsx': xlsx({ A: SHEET, B: [] }) },
    'prices.xlsx: error NO_SHEET none of the sheets (A, B) is named prices: give the one with the prices this name',
  ],
  [
    catalog({ A: SHEET, B: [] }),
    'catalog.xlsx: error NO_SHEET none of the sheets (A, B) has the name of a catalog: give them names such as products and prices',
  ],
  [
    catalog({ ...shopSheets(), 'news (2)': [] }),
    'catalog.xlsx [news (2)]: warning NOT_READ this sheet is not read: name it news, or delete it',
  ],
  [
    { 'products.json': null, 'prices.csv': null, 'catalog.xlsx': xlsx({ prices: SHEET }) },
    'catalog.xlsx [products]: error MISSING_FILE products are missing, but configurations refer to them: add a sheet with this name, or products.csv',
  ],
  [
    { 'catalog.xlsx': xlsx({ prices: SHEET }) },
    'catalog.xlsx [prices]: error TWO_FILES prices.csv exists too: delete it, or this sheet',
  ],
  [
    { ...inSheet(SHEET), 'prices.csv': 'x' },
    'prices.xlsx: error TWO_FILES prices.csv exists too: delete one of the two',
  ],
];

/** One of everything that can be wrong with the content of files. */
export const faults: readonly Fault[] = [
  ...tableOf('tables.txt'),
  ...tableOf('markdown.txt'),
  ...tableOf('workbooks.txt'),
  ...others,
  ...sheets,
];

/** Faults of millions of characters, which take seconds. */
export const hugeFaults: readonly Fault[] = [
  [
    { 'products.csv': `id,name\n1,A\n${',\n'.repeat(2 ** 20)}` },
    'products.csv:1048577:1: error TOO_MANY_ROWS the file has more than 1048576 rows: delete empty and unneeded rows',
  ],
  [
    { 'products.json': `[${'{},'.repeat(2 ** 20)}{}]` },
    'products.json:1:3145730: error TOO_MANY_ROWS the file has more than 1048576 rows: delete empty and unneeded rows',
  ],
];
