import iconv from 'iconv-lite';
import { addressOf, type Cell } from './grid.ts';
import { type Locale, type LocaleName, locales } from './locales.ts';

/** How a program writes text files, given the settings of its user. */
export interface Program {
  separator(locale: Locale): string;
  lineEnd: '\r\n' | '\n' | '\r';
  encoding(locale: Locale): string;
  /** Whether cells with these signs are put in quotes, apart from the separator. */
  quotes: RegExp;
  /** Whether 16 rows at a time have no more cells than the last one of them that is not empty. */
  dropsEmptyCells?: true;
  /** Whether the last row has no line end. */
  dropsLastLineEnd?: true;
  /** A line before the first row. */
  firstLine?: string;
}

const excel = { lineEnd: '\r\n', quotes: /["\r\n]/, dropsEmptyCells: true } as const;
const list = ({ list }: Locale) => list;
const utf8 = () => 'utf-8';
const utf8WithMark = () => 'utf-8 with mark';

export const programs = {
  'Excel CSV UTF-8': { ...excel, separator: list, encoding: utf8WithMark },
  'Excel CSV': { ...excel, separator: list, encoding: ({ codePage }: Locale) => codePage },
  'Excel CSV Macintosh': { ...excel, lineEnd: '\r', separator: list, encoding: () => 'macintosh' },
  'Excel Unicode text': {
    ...excel,
    separator: () => '\t',
    encoding: () => 'utf-16le',
    quotes: /["\r\n,]/,
  },
  'Excel CSV with sep=': {
    ...excel,
    separator: () => ';',
    encoding: utf8WithMark,
    firstLine: 'sep=;\r\n',
  },
  'Google Sheets': {
    separator: () => ',',
    lineEnd: '\r\n',
    encoding: utf8,
    quotes: /["\r\n]/,
    dropsLastLineEnd: true,
  },
  'LibreOffice CSV': { separator: () => ',', lineEnd: '\n', encoding: utf8, quotes: /["\r\n]/ },
  'LibreOffice CSV, all in quotes': {
    separator: () => ';',
    lineEnd: '\n',
    encoding: utf8,
    quotes: /(?:)/,
  },
} as const satisfies Record<string, Program>;

export type ProgramName = keyof typeof programs;
export const programNames = Object.keys(programs) as ProgramName[];

/** An exported table: its text, and where each cell begins in it (UTF-16 units). */
export interface Written {
  text: string;
  bytes: Buffer;
  cells: { start: number; address: string; cell: Cell }[];
}

/** Writes rows of cells byte by byte as a program does. */
export function write(rows: Cell[][], program: Program, name: LocaleName): Written {
  const locale: Locale = locales[name];
  const separator = program.separator(locale);
  const cells: Written['cells'] = [];
  let text = program.firstLine ?? '';
  for (const [rowIndex, row] of rows.entries()) {
    const width = widthOf(rows, rowIndex, program);
    for (let index = 0; index < width; index += 1) {
      const cell = row[index] ?? { text: '' };
      if (index > 0) text += separator;
      cells.push({ start: text.length, address: addressOf(rowIndex, index), cell });
      const isQuoted = program.quotes.test(cell.text) || cell.text.includes(separator);
      text += isQuoted ? `"${cell.text.replaceAll('"', '""')}"` : cell.text;
    }
    if (rowIndex < rows.length - 1 || !program.dropsLastLineEnd) text += program.lineEnd;
  }
  return { text, cells, bytes: encode(text, program.encoding(locale)) };
}

/** How many cells a row is written with. */
function widthOf(rows: Cell[][], row: number, { dropsEmptyCells }: Program): number {
  const start = dropsEmptyCells ? row - (row % 16) : 0;
  const block = rows.slice(start, dropsEmptyCells ? start + 16 : undefined);
  return Math.max(...block.map(cells => cells.findLastIndex(({ text }) => text !== '') + 1));
}

/**
 * Encodes a text as programs do.
 * @throws Error if the encoding lacks one of its letters.
 */
export function encode(text: string, encoding: string): Buffer {
  if (encoding === 'utf-8 with mark') return Buffer.from(`\uFEFF${text}`);
  if (encoding === 'utf-16le') return Buffer.from(`\uFEFF${text}`, 'utf16le');
  // iconv-lite has the currency sign in its old place.
  const known = encoding === 'macintosh' ? text.replaceAll('€', '¤') : text;
  const bytes = iconv.encode(known, encoding);
  if (iconv.decode(bytes, encoding) !== known) throw new Error(`${encoding} lacks a letter of the text`);
  return bytes;
}
