import { readFileSync } from 'node:fs';
import { type Files, shop } from '../../support/catalogs.ts';
import { type OdsRows, ods, rowsXml } from '../../support/ods.ts';
import type { Options } from '../../support/read-source.ts';
import { type Cell, type SheetRows, sheetOf, type XlsxOptions, xlsx, xlsxParts } from '../../support/xlsx.ts';
import { zip } from '../../support/zip.ts';

/** One fault: the files that have it (the others are those of the shop), what is told of it, and the settings that it needs. */
export type Fault = [files: Files, told: string, options?: Options];

const PRICES = 'id,product_id,rel_id,duration_id,price\n';
const SHEET = sheetOf(shop['prices.csv'] ?? '');
const [HEADINGS = []] = SHEET;
const rowXml = (cells: readonly Cell[], attributes = '') =>
  `<row${attributes}>${cells.map(cell => `<c t="${typeof cell === 'number' ? 'n' : 'str'}"><v>${cell}</v></c>`).join('')}</row>`;
const sheet = (rows: SheetRows, options?: XlsxOptions) => xlsx({ prices: rows }, options);

/** The prices of the shop with other values in cells: `E2 "cheap" E3 5`, or `E2 {"s":1,"xml":"<v>1</v>"} | 0.00 "€"`, with formats. */
function sheetWith(line: string): Buffer {
  const [values = '', ...formats] = line.split(' | ');
  const cells: Cell[][] = SHEET.map(row => [...row]);
  for (const value of values.split(/ (?=[A-Z]\d+ )/)) {
    const [, letter = '', row, json = ''] = /^(\w)(\d+) (.*)$/.exec(value) ?? [];
    const place = cells[Number(row) - 1] ?? [];
    cells[Number(row) - 1] = place;
    for (const column of 'ABCDEFG'.slice(place.length, 'ABCDEFG'.indexOf(letter)))
      if (column) place.push(null);
    place['ABCDEFG'.indexOf(letter)] = JSON.parse(json);
  }
  return sheet(cells, { formats });
}

/** The prices of the shop in an OpenDocument workbook, with an element as E2. */
const odsPrices = (element = '<table:table-cell office:value-type="float" office:value="5"/>') =>
  rowsXml(SHEET.map((cells, row) => (row === 1 ? cells.with(4, { xml: element }) : cells)) as OdsRows);

/** The parts of a workbook of the prices, and a part with its name before its text. */
const PARTS = xlsxParts({ prices: SHEET });
const partOf = (line: string) => ({ name: line.replace(/ .*/s, ''), data: line.replace(/^\S+ ?/, '') });

/** Words in place of the name of a file in a table of faults: which file they stand for, and what it has. */
const words: Record<string, (text: string) => [file: string, content: string | Buffer]> = {
  /** The second row of the prices. */
  prices: row => ['prices.csv', `${PRICES}101,1,11,1,5\n${row}\n`],
  /** The read count of a news item. */
  read: cell => ['news.csv', `id,title,content,create_time,read\n1,A,B,2024-01-05,${cell}\n`],
  /** The id of a product in JSON. */
  json: value => ['products.json', `[{"id": ${value}}]`],
  /** Lines of front matter from the third line on, and a text from the fifth line on. */
  front: lines => ['news/7-item.md', `---\ncreate_time: 2024-01-05\n${lines}---\n# Title\n\nText\n`],
  body: text => ['news/7-item.md', `---\ncreate_time: 2024-01-05\ntitle: Title\n---\n${text}`],
  /** The bytes of a file, a character each. */
  bytes: line => [line.replace(/ .*/s, ''), Buffer.from(line.replace(/^\S+ /, ''), 'latin1')],
  cell: line => ['prices.xlsx', sheetWith(line)],
  /** Rows below the headings, and what comes before and after all rows. */
  rows: xml => ['prices.xlsx', sheet(`<sheetData>${rowXml(HEADINGS, ' r="1"')}${xml}</sheetData>`)],
  around: line => {
    const [before = '', after = ''] = line.split('|');
    const rows = SHEET.map(row => rowXml(row)).join('');
    return ['prices.xlsx', sheet(`${before}<sheetData>${rows}</sheetData>${after}`)];
  },
  /** Archives in place of a workbook of the prices: with these parts alone, without one, with one more, with an edited one. */
  zip: line => ['prices.xlsx', zip(line.split(' | ').map(part => ({ ...partOf(part), isStored: true })))],
  without: name => ['prices.xlsx', zip(PARTS.filter(part => part.name !== name))],
  part: line => [
    'prices.xlsx',
    zip([...PARTS.filter(({ name }) => name !== partOf(line).name), partOf(line)]),
  ],
  edit: line => {
    const [name, from = '', to = ''] = line.split(' | ');
    const edited = (data: string) => data.replace(new RegExp(from), () => to);
    return [
      'prices.xlsx',
      zip(PARTS.map(part => (part.name === name ? { name, data: edited(part.data) } : part))),
    ];
  },
  /** A file of an old office program. */
  ole: text => [
    'prices.xlsx',
    Buffer.concat([Buffer.from('d0cf11e0a1b11ae1', 'hex'), Buffer.from(text, 'utf16le')]),
  ],
  /** The element of a cell, what stands below the prices, and styles with what comes before the rows of a table. */
  odsE2: element => ['prices.ods', ods({ prices: odsPrices(element) })],
  odsBelow: xml => ['prices.ods', ods({ prices: odsPrices() + xml })],
  odsBefore: line => {
    const [xml = '', attributes = '', styles = ''] = line.split('|');
    return ['prices.ods', ods({ prices: xml + odsPrices() }, { attributes, styles })];
  },
  /** A workbook with one more part. */
  odsPart: part => ['prices.ods', ods({ prices: odsPrices() }, { parts: [partOf(part)] })],
  /** A workbook, its sheets, of which PRICES is that of the shop, and options. */
  xlsx: line => {
    const [file = '', sheets = '', options = '{}'] = line.split(' | ');
    return [file, xlsx(JSON.parse(sheets.replaceAll('PRICES', JSON.stringify(SHEET))), JSON.parse(options))];
  },
};

/**
 * Reads a table of faults: the name of a file and its content, with \n for line breaks, \(x\)9; for xxxxxxxxx and - for no
 * file, in a line for each file; then, indented or behind ⇒, what is told, without the name where it is the last file's.
 */
function tableOf(name: string): Fault[] {
  const faults: Fault[] = [];
  let [files, last]: [Files, string] = [{}, ''];
  for (const line of readFileSync(new URL(name, import.meta.url), 'utf8').split('\n')) {
    const [before = '', told = line.startsWith('  ') ? line.trim() : undefined] = line.split(' ⇒ ');
    const [, word = '', rest = ''] = /^([^ #]\S*) ?(.*)$/.exec(before) ?? [];
    if (word !== '') {
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
    if (told === undefined) continue;
    const isOfLast = /^(\d|\[|error|warning)/.test(told);
    const sign = /^\d/.test(told) ? ':' : told.startsWith('[') ? ' ' : ': ';
    faults.push([files, isOfLast ? last + sign + told : told]);
    files = {};
  }
  return faults;
}

/** One of everything that can be wrong with the content of files. */
export const faults: readonly Fault[] = [
  ...[
    ['', 'empty: put the image there again'],
    [
      'version https://git-lfs.github.com/spec/v1\noid sha256:00\n',
      'a pointer of Git LFS to the file: run "git lfs pull", or put the file itself here',
    ],
  ].map(([image = '', told]): Fault => {
    const files = {
      'news.csv': 'id,title,content,create_time,img\n1,A,B,2024-01-05,a.png\n',
      'a.png': image,
    };
    return [files, `news.csv:2:18: warning BAD_IMAGE E2, img a.png is ${told}`];
  }),
  ...['tables.txt', 'json.txt', 'markdown.txt', 'workbooks.txt'].flatMap(tableOf),
  [
    { 'news.csv': 'id,title,content,create_time\n1,A,B,2024-01-05\n2,A,B, 2026-03-29 2:30\n' },
    'news.csv:3:7: warning SKIPPED_TIME D3, create_time 2026-03-29 02:30:00 does not exist in Europe/Berlin, because the clocks go forward: 2026-03-29 03:30:00 is served; write the time that you mean',
    { timeZone: 'Europe/Berlin' },
  ],
  [
    { 'prices.csv': `${PRICES}101,1,11,1,0.5\n102,1,12,1,"0,5"\n` },
    'prices.csv:2:12: error DECIMAL_SIGN E2, price "0.5" has a decimal point, but this column has decimal commas: write 0,5',
    { csvDecimal: ',' },
  ],
];

/** Faults of millions of characters, which take seconds. */
export const hugeFaults: readonly Fault[] = tableOf('huge.txt');
