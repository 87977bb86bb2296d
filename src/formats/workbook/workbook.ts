// Reads the sheets of .xlsx and .ods files. `parseWorkbook` makes a table of the sheet that has a catalog.
//
// `archive.ts` unpacks the file, and `xml.ts` parses its parts as a stream. `xlsx.ts` and `ods.ts` turn them into sheets of
// one kind: rows of cells as sources, such as `12.5` and `"text"`, with the formats that they are shown in. `sheet.ts` makes
// the table, and warns where a sheet shows something else than it contains; `number-format.ts` knows what a format shows.
// Whatever keeps a workbook from being read is a `WorkbookFault`.
import { type CatalogName, catalogNames, columnsOf } from '../../contract/columns.ts';
import type { Reporter } from '../../contract/problems.ts';
import { excerpt } from '../../messages.ts';
import { LFS_POINTER, POINTER, webPage } from '../decode.ts';
import { columnName, type Table } from '../table.ts';
import { type Sheet, sheetTable } from './sheet.ts';
import { damaged, PASSWORD, reportFault, WorkbookFault } from './stored-cells.ts';

/** Parses the sheet of a catalog. Reports why and returns undefined if it cannot be read. */
export async function parseWorkbook(
  catalog: CatalogName,
  file: string,
  content: Buffer,
  report: Reporter,
): Promise<Table | undefined> {
  let name: string | undefined;
  try {
    const sheet = chooseSheet(await openWorkbook(content), catalog);
    name = sheet.name;
    return sheetTable(file, sheet, await sheet.read(), columnsOf(catalog), report);
  } catch (error) {
    reportFault(error, file, name, report);
    return undefined;
  }
}

const opened = new WeakMap<Buffer, Promise<Sheet[]>>();

/** Opens a workbook once, since it may have several catalogs. @throws WorkbookFault if it cannot be read. */
export function openWorkbook(content: Buffer): Promise<Sheet[]> {
  const sheets = opened.get(content) ?? openSheets(content);
  opened.set(content, sheets);
  return sheets;
}

/** Loads the parsers on demand, since most sites have no workbooks. */
async function openSheets(content: Buffer): Promise<Sheet[]> {
  refuseOtherKinds(content);
  const { openArchive } = await import('./archive.ts');
  const archive = await openArchive(content);
  const kind = OTHER_KINDS.find(([part]) => archive.has(part))?.[1];
  if (kind !== undefined) throw new WorkbookFault(otherKind(kind));
  if (!archive.has('content.xml')) {
    const sheets = await (await import('./xlsx.ts')).openXlsx(archive);
    if (sheets.length === 0) throw new WorkbookFault(`no sheet of this workbook can be read: ${SAVE_AGAIN}`);
    return sheets;
  }
  if (/opendocument\.(?:text|presentation|graphics)/.test(content.toString('latin1', 0, 200)))
    throw new WorkbookFault(otherKind('a document of LibreOffice that is not a spreadsheet'));
  return (await import('./ods.ts')).openOds(archive);
}

/** The archives that are not workbooks which can be read, by a part that they have. */
const OTHER_KINDS: readonly [part: string, kind: string][] = [
  ['xl/workbook.bin', 'a binary workbook (.xlsb)'],
  ['word/document.xml', 'a text document (.docx)'],
  ['ppt/presentation.xml', 'a presentation (.pptx)'],
  ['Index/Document.iwa', 'a document of Apple Numbers'],
];

const SAVE_AGAIN = 'open it in the program that made it, and save it as "Excel workbook (.xlsx)"';

function otherKind(kind: string): string {
  return `this is ${kind} with the name of a workbook: ${SAVE_AGAIN}`;
}

/** Returns the catalogs that have a sheet. @throws WorkbookFault if none has one, or one has two. */
export function catalogsIn(sheets: readonly Sheet[]): CatalogName[] {
  const found = catalogNames.filter(catalog => sheetOf(catalog, sheets));
  if (found.length > 0) return found;
  const message = `none of the sheets (${sheetNames(sheets)}) has the name of a catalog: give them names such as products and prices`;
  throw new WorkbookFault(message, { code: 'NO_SHEET' });
}

/** The sheet named after a catalog, or if there is none, the only visible one. @throws WorkbookFault without such a sheet. */
function chooseSheet(sheets: readonly Sheet[], catalog: CatalogName): Sheet {
  const sheet = sheetOf(catalog, sheets);
  if (sheet) return sheet;
  const visible = sheets.filter(({ isHidden }) => !isHidden);
  const [only] = visible;
  if (!only) throw damaged('it has no sheet that is shown');
  if (visible.length === 1) return only;
  const message = `none of the sheets (${sheetNames(visible)}) is named ${catalog}: give the one with the ${catalog} this name`;
  throw new WorkbookFault(message, { code: 'NO_SHEET' });
}

/** Returns the catalog that a sheet is named after. Letter case, white space, hyphens and underscores do not matter. */
export function catalogOf({ name }: Pick<Sheet, 'name'>): CatalogName | undefined {
  return catalogNames.find(catalog => catalog === columnName(name, catalogNames));
}

function sheetOf(catalog: CatalogName, sheets: readonly Sheet[]): Sheet | undefined {
  const [sheet, second] = sheets.filter(sheet => catalogOf(sheet) === catalog);
  if (!sheet || !second) return sheet;
  const names = `${excerpt(sheet.name)} and ${excerpt(second.name)}`;
  const message = `two sheets have the name of a catalog, ${names}: rename or delete one of the two`;
  throw new WorkbookFault(message, { code: 'TWO_SHEETS' });
}

function sheetNames(sheets: readonly Sheet[]): string {
  const names = sheets.slice(0, 5).map(({ name }) => excerpt(name));
  return names.join(', ');
}

/** The first bytes of ZIP archives, and of OLE files: old workbooks, and those with a password. */
const ZIP = '504b';
const OLE = 'd0cf11e0';

/** @throws WorkbookFault for a file that is not an archive, with what it is instead. */
function refuseOtherKinds(content: Buffer): void {
  const start = content.toString('hex', 0, 4);
  if (start.startsWith(ZIP)) return;
  const beginning = content.toString('utf8', 0, 1000);
  if (LFS_POINTER.test(beginning)) throw new WorkbookFault(`this is ${POINTER}`, { code: 'LFS_POINTER' });
  const page = webPage(beginning, 'workbook');
  const fault = (message: string) => new WorkbookFault(message);
  if (content.length === 0) throw fault('the file is empty: save the workbook again');
  if (start === OLE && content.includes(Buffer.from('EncryptedPackage', 'utf16le'))) throw fault(PASSWORD);
  if (start === OLE) throw fault(otherKind('a workbook of an old kind (.xls)'));
  if (/urn:schemas-microsoft-com:office:spreadsheet|progid="Excel\.Sheet"|<office:document\b/.test(beginning))
    throw fault(otherKind('a workbook in one XML file'));
  if (page) throw new WorkbookFault(page, { code: 'WEB_PAGE' });
  throw fault(
    'this is not a workbook: save it again as "Excel workbook (.xlsx)", or give the file the name that fits what it is',
  );
}
