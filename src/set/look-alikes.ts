import { distance } from 'fastest-levenshtein';
import {
  catalogFileNames,
  catalogWorkbooks,
  isMarkdownName,
  isMarkdownPath,
  MARKDOWN_CATALOG,
  MARKDOWN_FILES,
  markdownPath,
} from '../contract/catalog-files.ts';
import { type CatalogName, catalogNames } from '../contract/columns.ts';
import type { Reporter } from '../contract/problems.ts';
import { excerpt } from '../messages.ts';

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

/** What a file can be taken for: a catalog, or the workbook of all catalogs. */
const targets = [...catalogNames, 'catalog'] as const;

/** A file that an editor may take for a catalog, such as `prices (1).csv` or `prices.xls`, but that is not read. */
export interface LookAlike {
  file: string;
  catalog: (typeof targets)[number];
}

/** Nobody needs a warning for more copies of one catalog than this. */
const MAX_EACH = 5;

/** Every poll takes this look, so that it must stay short in a directory of any size. */
const MAX_CANDIDATES = 1_000;

/**
 * The look-alikes among the names of a directory, and of its folder of Markdown files: at most five of each catalog, those
 * with the shortest names.
 */
export function findLookAlikes(names: readonly string[], inFolder: readonly string[] = []): LookAlike[] {
  const found = names
    .filter(isCandidate)
    .slice(0, MAX_CANDIDATES)
    .flatMap(file => {
      const catalog = catalogLike(file);
      return catalog ? [{ file, catalog }] : [];
    });
  const chosen = targets.flatMap(name =>
    found
      .filter(({ catalog }) => catalog === name)
      .sort(byLength)
      .slice(0, MAX_EACH),
  );
  return [...chosen, ...findTexts(inFolder)];
}

/** The texts in the folder of Markdown files that should have another name: at most five, those with the shortest names. */
function findTexts(inFolder: readonly string[]): LookAlike[] {
  return inFolder
    .filter(name => TEXT.test(name) && !isMarkdownName(name))
    .map((name): LookAlike => ({ file: markdownPath(name), catalog: MARKDOWN_CATALOG }))
    .sort(byLength)
    .slice(0, MAX_EACH);
}

/** The catalog that the file of this name looks like; undefined if it is that catalog, a temporary file or no catalog. */
export function catalogLike(name: string): LookAlike['catalog'] | undefined {
  if (!isCandidate(name) || TEMPORARY.test(name) || catalogFileNames.has(name)) return undefined;
  const stem = name.slice(0, name.lastIndexOf('.'));
  const parts = stem.toLowerCase().split(' - ');
  // Spreadsheet programs name a download after its workbook and sheet: `Shop - prices.csv`, `prices - Sheet1.csv`.
  const words = [parts.join(' '), parts[0] ?? '', parts.at(-1) ?? ''].map(essence);
  return targets.find(
    target =>
      (target !== 'catalog' || WORKBOOK.test(name)) &&
      words.some(word => isLike(word, target.replace('_', ''))),
  );
}

/** Whether the name has the extension of a table, and a beginning of a catalog's name. */
function isCandidate(name: string): boolean {
  const extension = name.slice(name.lastIndexOf('.') + 1).trimEnd();
  return extensions.has(extension.toLowerCase()) && BEGINNING.test(name);
}

const extensions = new Set('csv json txt tsv tab xlsx xlsm xlsb xls ods numbers'.split(' '));
const BEGINNING = /pri|pro|con|dur|new|[ck]at/i;
/** The extensions of workbooks, of which xlsx and ods are read. */
const WORKBOOK = /\.(?:xlsx|xlsm|xlsb|xls|ods|numbers)\s*$/i;
/** The names of temporary files and locks. */
const TEMPORARY = /^[.~#]/;

/** Names of texts that are no drafts. Of their extensions, md in small letters is read. */
const TEXT = /^[^._~#].*\.(?:md|mdown|mkd|markdown|txt)\s*$/i;

/** What people and programs add to the name of a file, besides numbers. */
const additions = new Set(
  `copy kopie copia copie kopia cópia of von de av backup old new neu alt final draft test version v q conflict conflicted
  updated latest current export list table data file sheet tabelle feuille hoja foglio blad
  ${[...extensions].join(' ')}`.split(/\s+/),
);

/** The name without additions and without what is in brackets: `prices` of `Copy of prices (1)`. */
function essence(name: string): string {
  const words = name.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ').split(/[^\p{L}]+/u);
  return words.filter(word => !additions.has(word)).join('');
}

/** One letter may be wrong, as in `price`, but not in a short word. */
function isLike(word: string, catalog: string): boolean {
  if (word === catalog) return true;
  return catalog.length > 4 && Math.abs(word.length - catalog.length) < 2 && distance(word, catalog) < 2;
}

function byLength({ file }: LookAlike, { file: other }: LookAlike): number {
  return file.length - other.length || (file < other ? -1 : 1);
}
