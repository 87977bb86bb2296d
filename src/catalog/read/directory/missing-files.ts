import type { CatalogName } from '../../../contract/columns.ts';
import { excerpt } from '../../../messages.ts';
import type { Reporter } from '../../problems/problems.ts';
import type { LookAlike } from './look-alikes.ts';

/** Warns of each look-alike. `read` are the names of the catalog files in the directory. */
export function warnOfLookAlikes(
  lookAlikes: readonly LookAlike[],
  read: readonly string[],
  report: Reporter,
): void {
  for (const lookAlike of lookAlikes) {
    const { file, catalog } = lookAlike;
    const kind = isWorkbook(file) ? 'workbook' : 'file';
    const original = read.find(name => name === `${catalog}.csv` || name === `${catalog}.json`);
    const message = original
      ? `this ${kind} is not read, only ${original} is: ${replacement(lookAlike, original)}`
      : `this ${kind} is not read: ${remedy(lookAlike)}`;
    report({ file }, 'NOT_READ', message);
  }
}

/** The message for a file that was served and is gone. */
export function gone(file: string, catalog: CatalogName, lookAlikes: readonly LookAlike[]): string {
  return `${file} is gone: ${remedyFor(catalog, lookAlikes) ?? 'put it back'}`;
}

/** The message for a catalog that has never been there, although another one refers to it. */
export function lacks(catalog: CatalogName, user: CatalogName, lookAlikes: readonly LookAlike[]): string {
  const fromLookAlike = remedyFor(catalog, lookAlikes);
  return `this file is missing, but ${user} refer to it: ${fromLookAlike ?? `add ${catalog}.csv or ${catalog}.json`}`;
}

/** How a look-alike becomes the missing catalog; undefined if it has none. */
function remedyFor(catalog: CatalogName, lookAlikes: readonly LookAlike[]): string | undefined {
  const lookAlike = lookAlikes.find(other => other.catalog === catalog);
  return lookAlike && `there is a "${excerpt(lookAlike.file)}", ${remedy(lookAlike)}`;
}

function remedy(lookAlike: LookAlike): string {
  return isWorkbook(lookAlike.file)
    ? `save it as CSV UTF-8 named ${targetOf(lookAlike)}`
    : `rename it to ${targetOf(lookAlike)}`;
}

/** What to do with a look-alike beside the file that is read. */
function replacement(lookAlike: LookAlike, original: string): string {
  return isWorkbook(lookAlike.file)
    ? `if it has changes, save it as CSV UTF-8 named ${targetOf(lookAlike)}; then rename it, delete it or move it to another folder`
    : `delete it, or delete ${original} and ${remedy(lookAlike)}`;
}

function isWorkbook(file: string): boolean {
  return /\.(?:xlsx|xlsm|xlsb|xls|ods|numbers)\s*$/i.test(file);
}

/** The name under which the look-alike is read. */
function targetOf({ file, catalog }: LookAlike): string {
  return `${catalog}.${/\.json\b/i.test(file) ? 'json' : 'csv'}`;
}
