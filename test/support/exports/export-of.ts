import type { Settings } from '../../../src/settings/settings.ts';
import type { Accident } from './accidents/accident.ts';
import { type Formats, plainFormats } from './formats.ts';
import { type Grid, gridOf } from './grid.ts';
import type { Export } from './judge.ts';
import { type Locale, type LocaleName, locales, manyScripts } from './locales.ts';
import { encode, type Program, type ProgramName, programs, type Written, write } from './programs.ts';
import { type PriceList, priceLists, workbook } from './workbook.ts';

/** Who exports what, and how the service is set. */
export interface ExportCase {
  program: ProgramName;
  locale: LocaleName;
  formats?: Partial<Formats>;
  /** The prices of the workbook, or the name of a list of them. */
  prices?: PriceList | readonly number[];
  texts?: readonly string[];
  accident?: Accident;
  csvDecimal?: '.' | ',';
  /** Whether the service does not know the code page of the files. */
  withoutEncoding?: true;
}

/** Exports a workbook as the program does. */
export function exportOf(it: ExportCase): Export {
  const { locale, csvDecimal, withoutEncoding, prices = 'mixed' } = it;
  const program: Program = programs[it.program];
  const { codePage, texts }: Locale = locales[locale];
  const encoding = program.encoding(locales[locale]);
  const csvEncoding = isUnicode(it.program) || withoutEncoding ? undefined : encoding;
  const options: Partial<Settings> = {
    ...(csvEncoding && { csvEncoding }),
    ...(csvDecimal && { csvDecimal }),
  };
  const sheets = workbook(
    it.texts ?? (isUnicode(it.program) ? manyScripts : texts),
    typeof prices === 'string' ? priceLists[prices] : prices,
  );
  const tables = sheets.map(sheet => {
    const grid = gridOf(sheet, { ...plainFormats, ...it.formats }, locale, csvDecimal);
    if (it.accident?.catalog === grid.catalog) grid.rows = it.accident.happen(grid.rows, grid);
    if (withoutEncoding) refuseFirst(grid, text => /[^\0-\x7F]/.test(text));
    const written = write(grid.rows, program, locale);
    const end = it.accident?.catalog === grid.catalog ? it.accident.cutAfter : undefined;
    return { grid, written: end === undefined ? written : cutAfter(written, end, encoding) };
  });
  return { name: nameOf(it, codePage), tables, options };
}

/** What is left of a file that ends after some text. */
function cutAfter({ text, cells }: Written, end: string, encoding: string): Written {
  const left = text.slice(0, text.indexOf(end) + end.length);
  return {
    text: left,
    cells: cells.filter(({ start }) => start < left.length),
    bytes: encode(left, encoding),
  };
}

/** Whether a program writes every letter. */
export function isUnicode(program: ProgramName): boolean {
  return programs[program].encoding(locales['en-US']).startsWith('utf');
}

function nameOf({ program, locale, prices = 'mixed', ...it }: ExportCase, codePage: string): string {
  const { amount, id, date } = { ...plainFormats, ...it.formats };
  const parts = [
    `${program} in ${locale}`,
    amount !== 'General' && `amounts ${amount}`,
    id !== 'General' && `ids ${id}`,
    date !== 'iso' && `${date} dates`,
    prices !== 'mixed' && `prices ${prices}`,
    it.accident?.name,
    it.csvDecimal && `CSV_DECIMAL ${it.csvDecimal}`,
    it.withoutEncoding && `${codePage} not set`,
  ];
  return parts.filter(Boolean).join(', ');
}

/** Of a file in an unknown encoding, Vitrine reads no cell, and refuses the first that has such a letter. */
function refuseFirst(grid: Grid, isUnreadable: (text: string) => boolean): void {
  const cells = grid.rows.flat();
  const first = cells.find(({ text }) => isUnreadable(text));
  if (!first) return;
  for (const cell of cells) delete cell.problem;
  first.problem = 'error';
}
