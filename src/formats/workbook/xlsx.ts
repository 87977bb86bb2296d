import { posix } from 'node:path';
import type { Archive } from './archive.ts';
import { damaged } from './cells.ts';
import type { Sheet, Workbook } from './sheet.ts';
import { type CellContext, readSharedStrings, readSheet } from './xlsx-sheet.ts';
import { isTrue, readXml } from './xml.ts';

/** A sheet, and the part with its rows. */
interface XlsxSheet extends Sheet {
  part: string;
}

/**
 * Opens a workbook as Excel writes it (ECMA-376, Office Open XML). Macros, pictures, notes and links are not looked at.
 * @throws WorkbookFault if it is damaged.
 */
export async function openXlsx(archive: Archive): Promise<Workbook<XlsxSheet>> {
  const main = (await relationshipsOf(archive, '')).find(({ type }) => type === 'officeDocument');
  if (!main) throw damaged('it has no officeDocument');
  const parts = await relationshipsOf(archive, main.target);
  const { sheets, hasDatesFrom1904 } = await readSheetList(archive, main.target, parts);
  const partOf = (type: string) => parts.find(part => part.type === type)?.target;
  let context: Promise<CellContext> | undefined;
  const readContext = async (): Promise<CellContext> => {
    const [strings, styles] = [partOf('sharedStrings'), partOf('styles')];
    return {
      strings: strings === undefined ? [] : await readSharedStrings(archive, strings),
      dateStyles: styles === undefined ? [] : await readDateStyles(archive, styles),
      dateSystem: hasDatesFrom1904 ? 1904 : 1900,
    };
  };
  return {
    sheets,
    async read({ part }, onRow) {
      context ??= readContext();
      return readSheet(archive, part, await context, onRow);
    },
  };
}

async function readSheetList(archive: Archive, part: string, parts: readonly Relationship[]) {
  const sheets: XlsxSheet[] = [];
  let hasDatesFrom1904 = false;
  await readXml(archive, part, {
    open(element, attributes) {
      if (element === 'workbookPr') hasDatesFrom1904 = isTrue(attributes.date1904);
      if (element !== 'sheet') return;
      const { name = '', state = 'visible' } = attributes;
      const id = attributes['r:id'];
      // Macros of old kinds leave sheets behind that have no part.
      if (id === '') return;
      const sheet = parts.find(part => part.id === id);
      if (!sheet) throw damaged(`the sheet ${name} is missing`);
      // Charts, macros and dialogs are sheets as well.
      if (sheet.type !== 'worksheet') return;
      sheets.push({ name, isHidden: state !== 'visible', part: sheet.target });
    },
  });
  return { sheets, hasDatesFrom1904 };
}

/** A part that another one refers to. */
export interface Relationship {
  id: string;
  /** The last word of its type, such as `sharedStrings`; the rest differs between the versions of the standard. */
  type: string;
  /** The name of the part. */
  target: string;
}

/** The parts that a part refers to, or the whole archive for the part ''. Links to other files are left out. */
export async function relationshipsOf(archive: Archive, part: string): Promise<Relationship[]> {
  const { dir, base } = posix.parse(part);
  const file = posix.join(dir, '_rels', `${base}.rels`);
  const found: Relationship[] = [];
  if (!archive.has(file)) throw damaged(`${file} is missing`);
  await readXml(archive, file, {
    open(name, { Id: id = '', Type: type = '', Target: target = '', TargetMode: mode }) {
      if (name !== 'Relationship' || mode === 'External') return;
      found.push({ id, type: posix.basename(type), target: posix.resolve('/', dir, target).slice(1) });
    },
  });
  return found;
}

/** Whether each style of cells, by its index, shows numbers as dates. */
export async function readDateStyles(archive: Archive, part: string): Promise<boolean[]> {
  const codes = new Map<number, string>();
  const formats: number[] = [];
  let isInCells = false;
  await readXml(archive, part, {
    open(name, { numFmtId = '0', formatCode = '' }) {
      if (name === 'numFmt') codes.set(Number(numFmtId), formatCode);
      else if (name === 'cellXfs') isInCells = true;
      else if (name === 'xf' && isInCells) formats.push(Number(numFmtId));
    },
    close(name) {
      if (name === 'cellXfs') isInCells = false;
    },
  });
  return formats.map(id => isDateFormat(id, codes));
}

/** The formats of dates and times that have a number and no code (ECMA-376, 18.8.30), in all languages. */
const BUILT_IN: readonly [from: number, to: number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** Whether a number format shows a number as a date or a time. `codes` has the codes of the formats that a workbook adds. */
export function isDateFormat(id: number, codes: ReadonlyMap<number, string>): boolean {
  const code = codes.get(id);
  if (code === undefined) return BUILT_IN.some(([from, to]) => id >= from && id <= to);
  // What is in quotes or brackets, and what follows a backslash, an underscore or an asterisk, is no part of a date.
  const letters = code.replace(/"[^"]*"?|\[(?!(?:h+|m+|s+)\])[^\]]*\]?|[\\_*]./gi, '');
  return /[ymdhs]/i.test(letters.split(';')[0] ?? '');
}
