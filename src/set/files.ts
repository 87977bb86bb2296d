import { createHash } from 'node:crypto';
import {
  catalogFiles,
  catalogWorkbooks,
  isMarkdownName,
  MARKDOWN_CATALOG,
  MARKDOWN_FILES,
  markdownPath,
} from '../contract/catalog-files.ts';
import { type CatalogName, catalogNames, catalogs } from '../contract/columns.ts';
import type { Reporter } from '../contract/problems.ts';
import type { CatalogFile, FileContent, FileDigest } from '../formats/formats.ts';
import { bundle, type NamedContent, unbundle } from '../formats/markdown/markdown.ts';
import { type LoadedFile, textOf } from '../formats/table.ts';
import { reportFault } from '../formats/workbook/cells.ts';
import type { Sheet, Workbook } from '../formats/workbook/sheet.ts';
import { catalogOf, catalogsIn, openWorkbook } from '../formats/workbook/workbook.ts';
import { type Directory, isTooBig } from './directory.ts';
import {
  catalogLike,
  catalogWithHeadings,
  findHidden,
  findLookAlikes,
  gone,
  type LookAlike,
  lacks,
  warnOfLookAlikes,
} from './look-alikes.ts';

/** Whether two sets have the same files with the same contents. */
export function isSameFiles(digests: readonly FileDigest[], others: readonly FileDigest[]): boolean {
  const names = (list: readonly FileDigest[]) => list.map(({ file, sha256 }) => `${file} ${sha256}`).join();
  return names(digests) === names(others);
}

export function digestOf({ file, bytes, sha256 }: FileDigest): FileDigest {
  return { file, bytes, sha256 };
}

/** A file that is served. */
type ServedFile = Pick<LoadedFile, 'catalog' | 'file'>;

/** What a directory holds. */
export interface DirectoryContent {
  files: CatalogFile[];
  /** Each Markdown file; together, they are one of the files. */
  markdown: FileDigest[];
  /** The workbook of all catalogs, if it is too damaged to know which ones it has. */
  damaged: FileContent[];
  lookAlikes: LookAlike[];
}

/**
 * Reads the catalog files of a directory, which are those whose name is exactly that of a catalog, such as `news.json`,
 * `news.csv` or `news.xlsx`; the workbook of all catalogs, which counts as a file for each of its sheets; and the Markdown
 * files of the folder `news`. Warns of others that look like them. Reports catalogs that are missing or ambiguous, and files
 * that are unreadable or too big. `served` are the files that this set replaces.
 */
export async function readFiles(
  directory: Directory,
  report: Reporter,
  served: readonly ServedFile[] = [],
  servedTexts: readonly string[] = [],
): Promise<DirectoryContent> {
  const files: CatalogFile[] = [];
  const names = await directory.list(report);
  if (!names) return { files, markdown: [], damaged: [], lookAlikes: [] };
  const workbooks = await readCatalogWorkbooks(directory, names, report);
  const inFolder = await directory.listMarkdown(report);
  const markdown = await readMarkdownFiles(directory, inFolder, report);
  const hidden = await findHidden(names, await directory.listDeeper(), directory.peek);
  const lookAlikes = [...findLookAlikes(names, inFolder), ...hidden];
  const filesOf = (catalog: CatalogName) => filesWith(catalog, names, workbooks);
  const present = catalogNames.filter(
    catalog => filesOf(catalog).length > 0 || (catalog === MARKDOWN_CATALOG && markdown),
  );
  const fileOf = (target: LookAlike['catalog']) =>
    target === 'catalog' ? workbooks[0]?.file : filesOf(target)[0];
  const texts = new Set(inFolder.map(markdownPath));
  const goneTexts = new Set(servedTexts.filter(file => !texts.has(file)));
  warnOfLookAlikes(lookAlikes, fileOf, goneTexts, report);
  if (present.length === 0 && workbooks.length === 0) reportEmpty(directory.name, lookAlikes, served, report);
  for (const catalog of catalogNames) {
    const [user] = catalogs[catalog].neededBy.filter(name => present.includes(name));
    // A workbook that cannot be read may have it.
    const isMissing = !present.includes(catalog) && workbooks.every(({ catalogs }) => catalogs);
    if (user && isMissing) reportMissing(catalog, user, workbooks[0]?.file, lookAlikes, served, report);
    const isTwice = reportTwo(catalog, filesOf(catalog), report);
    const [file] = filesOf(catalog);
    const workbook = workbooks.find(workbook => workbook.file === file);
    const content = workbook?.content ?? (file !== undefined && (await directory.read(file, report)));
    if (file !== undefined && content) files.push({ catalog, ...contentOf(file, content), isTwice });
    if (catalog === MARKDOWN_CATALOG && markdown)
      files.push({ catalog, ...contentOf(MARKDOWN_FILES, markdown) });
  }
  const damaged = workbooks.flatMap(({ file, content, catalogs }) =>
    content && !catalogs ? [contentOf(file, content)] : [],
  );
  return { files, markdown: digestsIn(markdown), damaged, lookAlikes };
}

function digestsIn(markdown: Buffer | undefined): FileDigest[] {
  const files = markdown ? unbundle(markdown) : [];
  return files.map(({ name, content }) => digestOf(contentOf(markdownPath(name), content)));
}

function contentOf(file: string, content: Buffer): FileContent {
  return { file, content, bytes: content.length, sha256: sha256(content) };
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** The files that have a catalog; there should be one at most. */
function filesWith(
  catalog: CatalogName,
  names: readonly string[],
  workbooks: readonly CatalogWorkbook[],
): string[] {
  const own = catalogFiles.filter(file => file.catalog === catalog && names.includes(file.file));
  const sheets = workbooks.filter(({ catalogs }) => catalogs?.includes(catalog));
  return [...own, ...sheets].map(({ file }) => file);
}

/** Whether a catalog has two files; if so, reports it. */
function reportTwo(catalog: CatalogName, [file, second]: readonly string[], report: Reporter): boolean {
  if (file === undefined || second === undefined) return false;
  const isSheet = catalogWorkbooks.includes(second);
  const place = { file: second, ...(isSheet && { sheet: catalog }) };
  report(
    place,
    'TWO_FILES',
    `${file} exists too: delete ${isSheet ? 'it, or this sheet' : 'one of the two'}`,
    { file },
  );
  return true;
}

function reportEmpty(
  name: string,
  lookAlikes: readonly LookAlike[],
  served: readonly ServedFile[],
  report: Reporter,
): void {
  for (const { file, catalog } of served) report({ file }, 'MISSING_FILE', gone(file, catalog, lookAlikes));
  if (served.length > 0) return;
  const message = 'the directory has no catalog files: add one, such as products.csv or news.json';
  report({ file: name }, 'MISSING_FILE', message);
}

function reportMissing(
  catalog: CatalogName,
  user: CatalogName,
  workbook: string | undefined,
  lookAlikes: readonly LookAlike[],
  served: readonly ServedFile[],
  report: Reporter,
): void {
  const before = served.find(file => file.catalog === catalog)?.file;
  const message = before
    ? gone(before, catalog, lookAlikes)
    : lacks(catalog, user, workbook !== undefined, lookAlikes);
  const place = workbook === undefined ? { file: `${catalog}.csv` } : { file: workbook, sheet: catalog };
  report(before ? { file: before } : place, 'MISSING_FILE', message);
}

/**
 * Reads the Markdown files among the names of the folder as one content, a {@link bundle}; undefined if there are none. Reports those that are
 * unreadable, and what is too big: one of them, or all of them together.
 */
export async function readMarkdownFiles(
  directory: Directory,
  names: readonly string[],
  report: Reporter,
): Promise<Buffer | undefined> {
  const files: NamedContent[] = [];
  let bytes = 0;
  for (const name of names.filter(isMarkdownName).sort()) {
    const content = await directory.read(markdownPath(name), report);
    if (content) files.push({ name, content });
    bytes += content?.length ?? 0;
    if (!isTooBig(bytes, directory)) continue;
    const message = `these files have more than ${directory.maxFileMb} MB together: delete some, or ask your administrator to raise MAX_FILE_MB`;
    report({ file: MARKDOWN_FILES }, 'FILE_TOO_BIG', message);
    return undefined;
  }
  return files.length > 0 ? bundle(files) : undefined;
}

/** A workbook that has a sheet for each catalog. */
interface CatalogWorkbook {
  file: string;
  /** Undefined if it cannot be read. */
  content: Buffer | undefined;
  /** The catalogs that have a sheet; undefined if it is damaged, or cannot be read. */
  catalogs: readonly CatalogName[] | undefined;
}

/** Reads the workbooks of all catalogs in a directory, and the names of their sheets. Reports what is wrong with them. */
async function readCatalogWorkbooks(
  directory: Directory,
  names: readonly string[],
  report: Reporter,
): Promise<CatalogWorkbook[]> {
  const workbooks: CatalogWorkbook[] = [];
  for (const file of catalogWorkbooks.filter(name => names.includes(name))) {
    const content = await directory.read(file, report);
    workbooks.push({ file, content, catalogs: content && (await readCatalogs(file, content, report)) });
  }
  return workbooks;
}

/** The catalogs that have a sheet; undefined, and reported, if the workbook is damaged. */
async function readCatalogs(
  file: string,
  content: Buffer,
  report: Reporter,
): Promise<CatalogName[] | undefined> {
  try {
    const workbook = await openWorkbook(content);
    const catalogs = catalogsIn(workbook.sheets);
    await warnOfSheets(file, workbook, catalogs, report);
    return catalogs;
  } catch (error) {
    reportFault(error, file, undefined, report);
    return undefined;
  }
}

/**
 * Warns of sheets that an editor may take for a catalog, but that are not read. Only for a catalog without a sheet, it looks
 * at the headings of others: they may be long.
 */
async function warnOfSheets(
  file: string,
  workbook: Workbook,
  catalogs: readonly CatalogName[],
  report: Reporter,
): Promise<void> {
  for (const sheet of workbook.sheets) {
    if (catalogOf(sheet)) continue;
    const named = catalogLike(`${sheet.name}.csv`);
    const lacksCatalog = catalogs.length < catalogNames.length;
    const headed = named || !lacksCatalog ? undefined : await catalogInSheet(workbook, sheet);
    const catalog = named ?? (headed && !catalogs.includes(headed) ? headed : undefined);
    if (!catalog) continue;
    const why = named ? '' : ` has the headings of ${catalog} and`;
    const message = `this sheet${why} is not read: name it ${catalog}, or delete it`;
    report({ file, sheet: sheet.name }, 'NOT_READ', message);
  }
}

/** The catalog whose headings are in the first row of a sheet; undefined also for a sheet that cannot be read. */
async function catalogInSheet(workbook: Workbook, sheet: Sheet): Promise<CatalogName | undefined> {
  try {
    const { rows } = await workbook.read(sheet, () => {});
    return catalogWithHeadings(rows[0]?.cells.map(textOf) ?? []);
  } catch {
    return undefined;
  }
}
