import { distance } from 'fastest-levenshtein';
import {
  catalogFileNames,
  catalogFiles,
  catalogWorkbooks,
  isMarkdownName,
  isMarkdownPath,
  MARKDOWN_CATALOG,
  MARKDOWN_FILES,
  MARKDOWN_FOLDER,
  markdownPath,
} from '../contract/catalog-files.ts';
import { type CatalogName, catalogNames, columnsOf } from '../contract/columns.ts';
import type { Reporter } from '../contract/problems.ts';
import { columnName } from '../formats/table.ts';
import { excerpt } from '../messages.ts';

/**
 * Warns of each look-alike. `fileOf` gives the file that is read instead, if there is one. `gone` are the files that were
 * served and are gone.
 */
export function warnOfLookAlikes(
  lookAlikes: readonly LookAlike[],
  fileOf: (catalog: LookAlike['catalog']) => string | undefined,
  gone: ReadonlySet<string>,
  report: Reporter,
): void {
  for (const lookAlike of lookAlikes) {
    const { file, catalog, headings, more = 0 } = lookAlike;
    const kind = WORKBOOK.test(file) ? 'workbook' : 'file';
    const original = isText(file) ? undefined : fileOf(catalog);
    const target = targetOf(lookAlike);
    const instead = isText(file) && gone.has(target) ? `, and ${target} is gone, which was served` : '';
    const why = headings ? ` has the headings of ${catalog} and` : '';
    const message = original
      ? `this ${kind}${why} is not read, only ${original} is: ${replacement(lookAlike, original)}`
      : `this ${kind}${why} is not read${instead}: ${remedy(lookAlike)}`;
    report({ file }, 'NOT_READ', more > 0 ? `${message} (there are ${more} more)` : message);
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
  const [folder, ...inside] = lookAlike.file.split('/').slice(0, -1);
  if (folder?.toLowerCase() === MARKDOWN_FOLDER && folder !== MARKDOWN_FOLDER)
    return `rename its folder to ${MARKDOWN_FOLDER}`;
  if (folder !== undefined && (folder !== MARKDOWN_FOLDER || inside.length > 0))
    return `move it to ${targetOf(lookAlike)}, or begin the name of its folder with _`;
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
  if (isText(file)) {
    const [name = '', folder = '', ...others] = file.split('/').reverse();
    // A page bundle has the name of the item as that of its folder.
    const item = others.length > 0 && /^index\./i.test(name) ? `${folder}.md` : name;
    return markdownPath(item.replace(/(?:\.md)?\.\w+\s*$/i, '.md'));
  }
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
  /** Whether its headings are those of the catalog, and not its name. */
  headings?: boolean;
  /** How many more there are that are not named. */
  more?: number;
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
  const chosen = targets.flatMap(name => firstOf(found.filter(({ catalog }) => catalog === name)));
  const texts = inFolder.filter(name => TEXT.test(name) && !isMarkdownName(name)).map(markdownPath);
  return [...chosen, ...firstOf(texts.map(newsItem))];
}

function newsItem(file: string): LookAlike {
  return { file, catalog: MARKDOWN_CATALOG };
}

/** Those with the shortest names, of which the last one has the number of the others. */
function firstOf(found: readonly LookAlike[]): LookAlike[] {
  const more = Math.max(0, found.length - MAX_EACH);
  const first = found.toSorted(byLength).slice(0, MAX_EACH);
  return first.map((lookAlike, index) =>
    more > 0 && index === MAX_EACH - 1 ? { ...lookAlike, more } : lookAlike,
  );
}

/** Nobody needs to look into more files than this that may be catalogs. */
const MAX_PEEKED = 20;

/**
 * The look-alikes among all other files of a directory, which are looked at when it is read: in its folders by their names,
 * and beside the catalogs by their headings. `peek` gives the beginning of a file.
 */
export async function findHidden(
  names: readonly string[],
  deeper: readonly string[],
  peek: (file: string) => Promise<Buffer | undefined>,
): Promise<LookAlike[]> {
  const found: LookAlike[] = [];
  const others: string[] = [];
  for (const file of deeper) {
    const [folder = ''] = file.split('/');
    const name = file.slice(file.lastIndexOf('/') + 1);
    const catalog = catalogFiles.find(known => known.file === name)?.catalog ?? catalogLike(name);
    if (/^[._~#]/.test(name)) continue;
    if (folder.toLowerCase() === MARKDOWN_FOLDER && MARKDOWN.test(name)) found.push(newsItem(file));
    else if (MARKDOWN.test(name)) others.push(file);
    else if (catalog) found.push({ file, catalog });
  }
  const tables = names.filter(
    name => TABLE.test(name) && !/^[._~#]/.test(name) && !catalogFileNames.has(name) && !catalogLike(name),
  );
  for (const file of [...tables, ...others].slice(0, MAX_PEEKED)) {
    const beginning = await peek(file);
    if (!beginning) continue;
    const catalog = isText(file) ? undefined : catalogWithHeadings(headingsIn(file, beginning));
    if (catalog) found.push({ file, catalog, headings: true });
    else if (isText(file) && /^\uFEFF?---\s*\n/.test(beginning.toString())) found.push(newsItem(file));
  }
  const [texts, files] = [true, false].map(is => found.filter(({ file }) => isText(file) === is));
  return [
    ...targets.flatMap(name => firstOf((files ?? []).filter(({ catalog }) => catalog === name))),
    ...firstOf(texts ?? []),
  ];
}

/** Fewer headings, such as `id` and `name`, say nothing. */
const LEAST_HEADINGS = 4;

/** The catalog with all required columns among these headings, if there are enough of them. */
export function catalogWithHeadings(headings: readonly string[]): CatalogName | undefined {
  return catalogNames.find(catalog => {
    const columns = columnsOf(catalog);
    const known = columns.map(({ name }) => name);
    const found = new Set(headings.map(heading => columnName(heading, known)));
    const required = columns.filter(column => column.required);
    return required.length >= LEAST_HEADINGS && required.every(({ name }) => found.has(name));
  });
}

/** The headings of a CSV file, or the keys of the first row of a JSON file, as far as its beginning has them. */
function headingsIn(file: string, beginning: Buffer): string[] {
  const text = beginning.toString(beginning[0] === 0xff ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
  if (/\.json\b/i.test(file) || text.trimStart().startsWith('[')) {
    const first = text.slice(text.indexOf('{')).split('}')[0] ?? '';
    return Array.from(first.matchAll(/"([^"\\]*)"\s*:/g), ([, key]) => String(key));
  }
  const lines = text.split(/[\r\n]+/).filter(line => line.trim() !== '' && !/^sep=/i.test(line));
  return (lines[0] ?? '').split(/[,;\t|]/).map(cell => cell.replaceAll('"', ''));
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

/** Names of tables as text. */
const TABLE = /\.(?:csv|tsv|tab|txt|json)\s*$/i;

/** Names of texts that are no drafts. Of their extensions, md in small letters is read. */
const TEXT = /^[^._~#].*\.(?:md|mdx|mdown|mkd|markdown|txt)\s*$/i;

/** Whether a file can only be a news item. */
function isText(file: string): boolean {
  return MARKDOWN.test(file) || (isMarkdownPath(file) && TEXT.test(file.slice(file.lastIndexOf('/') + 1)));
}

const MARKDOWN = /\.(?:md|mdx|mdown|mkd|markdown)\s*$/i;

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
