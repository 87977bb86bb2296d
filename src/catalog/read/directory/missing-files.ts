import { catalogWorkbooks, isMarkdownPath, MARKDOWN_FILES } from '../../../contract/catalog-files.ts';
import type { CatalogName } from '../../../contract/columns.ts';
import type { Reporter } from '../../../contract/problems.ts';
import { excerpt } from '../../../messages.ts';
import { type LookAlike, WORKBOOK } from './look-alikes.ts';

/** Warns of each look-alike. `fileOf` gives the file that is read instead, if there is one. */
export function warnOfLookAlikes(
  lookAlikes: readonly LookAlike[],
  fileOf: (catalog: LookAlike['catalog']) => string | undefined,
  report: Reporter,
): void {
  for (const lookAlike of lookAlikes) {
    const { file, catalog } = lookAlike;
    const kind = WORKBOOK.test(file) ? 'workbook' : 'file';
    const original = isMarkdownPath(file) ? undefined : fileOf(catalog);
    const message = original
      ? `this ${kind} is not read, only ${original} is: ${replacement(lookAlike, original)}`
      : `this ${kind} is not read: ${remedy(lookAlike)}`;
    report({ file }, 'NOT_READ', message);
  }
}

/** The message for a file that was served and is gone, or its sheet in the workbook of all catalogs. */
export function gone(file: string, catalog: CatalogName, lookAlikes: readonly LookAlike[]): string {
  const remedy = remedyFor(catalog, lookAlikes);
  if (file === MARKDOWN_FILES) return `all files ${file} are gone: ${remedy ?? 'put them back'}`;
  const what = catalogWorkbooks.includes(file) ? `the sheet ${catalog} of ${file}` : file;
  return `${what} is gone: ${remedy ?? 'put it back'}`;
}

/** The message for a catalog that has never been there, although another one refers to it. */
export function lacks(
  catalog: CatalogName,
  user: CatalogName,
  hasWorkbook: boolean,
  lookAlikes: readonly LookAlike[],
): string {
  const fromLookAlike = remedyFor(catalog, lookAlikes);
  if (hasWorkbook)
    return `there is no sheet named ${catalog}, but ${user} refer to it: ${fromLookAlike ?? `add it, or a file such as ${catalog}.csv`}`;
  return `this file is missing, but ${user} refer to it: ${fromLookAlike ?? `add ${catalog}.csv, ${catalog}.json or ${catalog}.xlsx`}`;
}

/** How a look-alike becomes the missing catalog; undefined if it has none. */
function remedyFor(catalog: CatalogName, lookAlikes: readonly LookAlike[]): string | undefined {
  const lookAlike = lookAlikes.find(other => other.catalog === catalog);
  return lookAlike && `there is a "${excerpt(lookAlike.file)}", ${remedy(lookAlike)}`;
}

function remedy(lookAlike: LookAlike): string {
  return OTHER_WORKBOOK.test(lookAlike.file)
    ? `save it as an Excel workbook named ${targetOf(lookAlike)}`
    : `rename it to ${targetOf(lookAlike)}`;
}

/** What to do with a look-alike beside the file that is read. */
function replacement(lookAlike: LookAlike, original: string): string {
  const isSheet = catalogWorkbooks.includes(original) && lookAlike.catalog !== 'catalog';
  const other = isSheet ? `the sheet ${lookAlike.catalog} there` : original;
  return `delete it, or delete ${other} and ${remedy(lookAlike)}`;
}

/** Kinds of workbooks that are not read. */
const OTHER_WORKBOOK = /\.(?:xlsm|xlsb|xls|numbers)\s*$/i;

/** The name under which the look-alike is read. */
function targetOf({ file, catalog }: LookAlike): string {
  if (isMarkdownPath(file)) return file.replace(/(?:\.md)?\.\w+\s*$/i, '.md');
  if (/\.ods\s*$/i.test(file)) return `${catalog}.ods`;
  const extension = WORKBOOK.test(file) ? 'xlsx' : /\.json\b/i.test(file) ? 'json' : 'csv';
  return `${catalog}.${extension}`;
}
