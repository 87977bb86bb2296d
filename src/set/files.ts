import { createHash } from 'node:crypto';
import {
  catalogFiles,
  catalogWorkbooks,
  MARKDOWN_FILES,
  MARKDOWN_FOLDER,
  markdownName,
  markdownPath,
} from '../contract/catalog-files.ts';
import { type CatalogName, catalogNames, catalogs } from '../contract/columns.ts';
import type { Reporter } from '../contract/problems.ts';
import type { CatalogFile, FileContent, FileDigest } from '../formats/formats.ts';
import { bundle, type NamedContent, unbundle } from '../formats/markdown/bundle.ts';
import { type LoadedFile, writtenText } from '../formats/table.ts';
import type { Sheet } from '../formats/workbook/sheet.ts';
import { reportFault } from '../formats/workbook/stored-cells.ts';
import { catalogOf, catalogsIn, openWorkbook } from '../formats/workbook/workbook.ts';
import type { Directory } from './directory.ts';
import {
  catalogLike,
  catalogWithHeadings,
  findLookAlikes,
  gone,
  type LookAlike,
  remedyFor,
  warnOfUnread,
} from './look-alikes.ts';

export function isSameFiles(digests: readonly FileDigest[], others: readonly FileDigest[]): boolean {
  const names = (list: readonly FileDigest[]) => list.map(({ file, sha256 }) => `${file} ${sha256}`).join();
  return names(digests) === names(others);
}

export function digestOf({ file, bytes, sha256 }: FileDigest): FileDigest {
  return { file, bytes, sha256 };
}

export interface DirectoryContent {
  files: CatalogFile[];
  /** Each Markdown file; together, they are one of the files. */
  markdown: FileDigest[];
  /** The workbook of all catalogs, if it is too damaged to know which it has. */
  damaged: FileContent[];
  lookAlikes: LookAlike[];
}

/**
 * Reads the catalog files of a directory: those named exactly like a catalog, such as `news.json`, `news.csv` or `news.xlsx`;
 * the workbook of all catalogs, which counts as a file for each sheet; and the Markdown files of the folder `news`. Warns of
 * other tables and of files that look like catalogs. Reports missing or ambiguous catalogs, and files that are unreadable or
 * too big. `served` are the files that this set replaces.
 */
export async function readFiles(
  directory: Directory,
  report: Reporter,
  served: readonly Pick<LoadedFile, 'catalog' | 'file'>[] = [],
  servedTexts: readonly string[] = [],
): Promise<DirectoryContent> {
  const files: CatalogFile[] = [];
  const paths = await directory.list(report);
  if (!paths) return { files, markdown: [], damaged: [], lookAlikes: [] };
  const names = paths.filter(path => !path.includes('/'));
  const workbooks = await readCatalogWorkbooks(directory, names, report);
  const markdown = await readMarkdownFiles(directory, paths, report);
  const lookAlikes = await findLookAlikes(paths, directory.peek);
  /** The files that have a catalog: one at most is allowed, besides Markdown files. */
  const filesOf = (catalog: CatalogName) =>
    [
      ...catalogFiles.filter(own => own.catalog === catalog && names.includes(own.file)),
      ...workbooks.filter(({ catalogs }) => catalogs?.includes(catalog)),
    ].map(({ file }) => file);
  const present = catalogNames.filter(
    catalog => filesOf(catalog).length > 0 || (catalog === MARKDOWN_FOLDER && markdown),
  );
  const [workbook] = workbooks;
  const fileOf = (target: LookAlike['catalog']) =>
    target === 'catalog' ? workbook?.file : filesOf(target)[0];
  const listed = new Set(paths);
  const goneTexts = new Set(servedTexts.filter(file => !listed.has(file)));
  warnOfUnread(paths, lookAlikes, fileOf, goneTexts, report);
  if (present.length === 0 && !workbook) {
    for (const { file, catalog } of served) report({ file }, 'MISSING_FILE', gone(file, catalog, lookAlikes));
    const message = 'the directory has no catalog files: add one, such as products.csv or news.json';
    if (served.length === 0) report({ file: directory.name }, 'MISSING_FILE', message);
  }
  for (const catalog of catalogNames) {
    const [user] = catalogs[catalog].neededBy.filter(name => present.includes(name));
    // A workbook that cannot be read may have the catalog.
    const isMissing = !present.includes(catalog) && workbooks.every(({ catalogs }) => catalogs);
    if (user && isMissing) {
      const before = served.find(file => file.catalog === catalog)?.file;
      const place = workbook ? { file: workbook.file, sheet: catalog } : { file: `${catalog}.csv` };
      const added = `add ${workbook ? 'a sheet with this name, or ' : ''}${catalog}.csv, ${catalog}.json or ${catalog}.xlsx`;
      const message = `${catalog} are missing, but ${user} refer to them: ${remedyFor(catalog, lookAlikes) ?? added}`;
      if (before) report({ file: before }, 'MISSING_FILE', gone(before, catalog, lookAlikes));
      else report(place, 'MISSING_FILE', message);
    }
    const [file, second] = filesOf(catalog);
    if (file !== undefined && second !== undefined) {
      const isSheet = catalogWorkbooks.includes(second);
      const message = `${file} exists too: delete ${isSheet ? 'it, or this sheet' : 'one of the two'}`;
      report({ file: second, ...(isSheet && { sheet: catalog }) }, 'TWO_FILES', message, { file });
    }
    const inWorkbook = workbooks.find(workbook => workbook.file === file)?.content;
    const content = inWorkbook ?? (file !== undefined && (await directory.read(file, report)));
    if (file !== undefined && content)
      files.push({ catalog, ...fileContent(file, content), isTwice: second !== undefined });
    if (catalog === MARKDOWN_FOLDER && markdown)
      files.push({ catalog, ...fileContent(MARKDOWN_FILES, markdown) });
  }
  const damaged = workbooks.flatMap(({ file, content, catalogs }) =>
    content && !catalogs ? [fileContent(file, content)] : [],
  );
  const digests = (markdown ? unbundle(markdown) : []).map(({ name, content }) =>
    digestOf(fileContent(markdownPath(name), content)),
  );
  return { files, markdown: digests, damaged, lookAlikes };
}

function fileContent(file: string, content: Buffer): FileContent {
  return { file, content, bytes: content.length, sha256: sha256(content) };
}

export function sha256(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Reads Markdown files as a {@link bundle}; undefined if there are none, and also reported if they are too big. */
export async function readMarkdownFiles(
  directory: Directory,
  paths: readonly string[],
  report: Reporter,
): Promise<Buffer | undefined> {
  const files: NamedContent[] = [];
  let bytes = 0;
  const names = paths.flatMap(path => markdownName(path) ?? []);
  for (const name of names.sort()) {
    const content = await directory.read(markdownPath(name), report);
    if (content) files.push({ name, content });
    bytes += content?.length ?? 0;
    if (bytes <= directory.maxFileMb * 2 ** 20) continue;
    const message = `these files have more than ${directory.maxFileMb} MB together: delete some, or ask your administrator to raise MAX_FILE_MB`;
    report({ file: MARKDOWN_FILES }, 'FILE_TOO_BIG', message);
    return undefined;
  }
  return files.length > 0 ? bundle(files) : undefined;
}

interface CatalogWorkbook {
  file: string;
  content: Buffer | undefined;
  /** The catalogs that have a sheet; undefined if the workbook is damaged or cannot be read. */
  catalogs: readonly CatalogName[] | undefined;
}

/** Reads the workbooks of all catalogs and the names of their sheets. Reports their faults. */
async function readCatalogWorkbooks(directory: Directory, names: readonly string[], report: Reporter) {
  const found: CatalogWorkbook[] = [];
  for (const file of catalogWorkbooks.filter(name => names.includes(name))) {
    const content = await directory.read(file, report);
    let catalogs: CatalogName[] | undefined;
    try {
      const sheets = content && (await openWorkbook(content));
      catalogs = sheets && catalogsIn(sheets);
      if (sheets && catalogs) await warnOfSheets(file, sheets, catalogs, report);
    } catch (error) {
      reportFault(error, file, undefined, report);
    }
    found.push({ file, content, catalogs });
  }
  return found;
}

/** Warns of unread sheets that look like a catalog by name or, for a catalog without a sheet, by headings. */
async function warnOfSheets(
  file: string,
  sheets: readonly Sheet[],
  catalogs: readonly CatalogName[],
  report: Reporter,
): Promise<void> {
  const hasAll = catalogs.length === catalogNames.length;
  for (const sheet of sheets.filter(sheet => !catalogOf(sheet))) {
    const named = catalogLike(`${sheet.name}.csv`);
    const content = named || hasAll ? undefined : await sheet.read().catch(() => undefined);
    const headed = catalogWithHeadings(content?.rows[0]?.cells.map(writtenText) ?? []);
    const catalog = named ?? (headed && !catalogs.includes(headed) ? headed : undefined);
    const why = named ? '' : ` has the headings of ${catalog} and`;
    const message = `this sheet${why} is not read: name it ${catalog}, or delete it`;
    if (catalog) report({ file, sheet: sheet.name }, 'NOT_READ', message);
  }
}
