import { basename, dirname } from 'node:path/posix';
import { distance } from 'fastest-levenshtein';
import {
  catalogFileNames,
  catalogFiles,
  catalogWorkbooks,
  isMarkdownName,
  isMarkdownPath,
  MARKDOWN_FILES,
  MARKDOWN_FOLDER,
  markdownPath,
} from '../contract/catalog-files.ts';
import { type CatalogName, catalogNames, columnsOf } from '../contract/columns.ts';
import type { Reporter } from '../contract/problems.ts';
import { columnName } from '../formats/table.ts';
import { excerpt } from '../messages.ts';

const targets = [...catalogNames, 'catalog'] as const;

/** A file that an editor may take for a catalog, such as `prices (1).csv` or `prices.xls`, but that is not read. */
export interface LookAlike {
  file: string;
  catalog: (typeof targets)[number];
  /** The path under which it is read. */
  target: string;
  /** Whether its headings are those of the catalog, and not its name. */
  hasHeadings?: boolean;
}

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
    const { file, catalog, target, hasHeadings } = lookAlike;
    const original = isMarkdownPath(target) ? undefined : fileOf(catalog);
    const why = hasHeadings ? ` has the headings of ${catalog} and` : '';
    const instead = original ? `, only ${original} is` : '';
    const lost = gone.has(target) ? `, and ${target} is gone, which was served` : '';
    const message = `this file${why} is not read${instead}${lost}: ${remedy(lookAlike)}, or begin its name with _`;
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

/** How a look-alike becomes the missing catalog; undefined if it has none. */
export function remedyFor(catalog: CatalogName, lookAlikes: readonly LookAlike[]): string | undefined {
  const lookAlike = lookAlikes.find(other => other.catalog === catalog);
  return lookAlike && `there is a "${excerpt(lookAlike.file)}", ${remedy(lookAlike)}`;
}

function remedy({ file, target }: LookAlike): string {
  const folder = dirname(file);
  if (folder !== MARKDOWN_FOLDER && folder.toLowerCase() === MARKDOWN_FOLDER)
    return `rename its folder to ${MARKDOWN_FOLDER}`;
  if (OTHER_WORKBOOK.test(file)) return `save it as an Excel workbook named ${target}`;
  return `${folder === dirname(target) ? 'rename' : 'move'} it to ${target}`;
}

function tableLike(file: string, catalog: LookAlike['catalog']): LookAlike {
  const extension = WORKBOOK.test(file) ? 'xlsx' : /\.json\b/i.test(file) ? 'json' : 'csv';
  return { file, catalog, target: `${catalog}.${/\.ods\s*$/i.test(file) ? 'ods' : extension}` };
}

function newsItem(file: string): LookAlike {
  const name = basename(file);
  // A page bundle has the name of the item as that of its folder.
  const isBundle = file.split('/').length > 2 && /^index\./i.test(name);
  const item = isBundle ? `${basename(dirname(file))}.md` : name;
  const target = markdownPath(item.replace(/(?:\.md|\.draft)*\.\w+\s*$/i, '.md'));
  return { file, catalog: MARKDOWN_FOLDER, target };
}

/** The most look-alikes of one catalog that are named, names that a poll looks at, and files that are looked into. */
const MAX_EACH = 5;
const MAX_CANDIDATES = 1_000;
const MAX_PEEKED = 20;

/**
 * The look-alikes among the names of a directory, and of its folder of Markdown files: at most five of each catalog, those
 * with the shortest names.
 */
export function findLookAlikes(names: readonly string[], inFolder: readonly string[] = []): LookAlike[] {
  const candidates = names.filter(isCandidate).slice(0, MAX_CANDIDATES);
  const tables = candidates.flatMap(file => {
    const catalog = catalogLike(file);
    return catalog ? [tableLike(file, catalog)] : [];
  });
  const texts = inFolder.filter(name => TEXT.test(name) && !isMarkdownName(name));
  return [...firstOfEach(tables), ...firstOfEach(texts.map(name => newsItem(markdownPath(name))))];
}

function firstOfEach(found: readonly LookAlike[]): LookAlike[] {
  const sorted = found.toSorted(
    (one, other) => one.file.length - other.file.length || (one.file < other.file ? -1 : 1),
  );
  return targets.flatMap(name => sorted.filter(({ catalog }) => catalog === name).slice(0, MAX_EACH));
}

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
  const isUnclear = (file: string) => TABLE.test(file) && !SKIPPED.test(file) && !catalogFileNames.has(file);
  const unclear = names.filter(file => isUnclear(file) && !catalogLike(file));
  for (const file of deeper.filter(file => !SKIPPED.test(basename(file)))) {
    const name = basename(file);
    const catalog = catalogFiles.find(known => known.file === name)?.catalog ?? catalogLike(name);
    if (/^news\//i.test(file) && MARKDOWN.test(name)) found.push(newsItem(file));
    else if (MARKDOWN.test(name)) unclear.push(file);
    else if (catalog) found.push(tableLike(file, catalog));
  }
  for (const file of unclear.slice(0, MAX_PEEKED)) {
    const beginning = await peek(file);
    if (!beginning) continue;
    const isText = MARKDOWN.test(file);
    const catalog = isText ? undefined : catalogWithHeadings(headingsIn(file, beginning));
    if (catalog) found.push({ ...tableLike(file, catalog), hasHeadings: true });
    else if (isText && /^\uFEFF?---\s*\n/.test(beginning.toString())) found.push(newsItem(file));
  }
  return firstOfEach(found);
}

/** The catalog with all required columns among these headings; `id` and `name` alone say nothing. */
export function catalogWithHeadings(headings: readonly string[]): CatalogName | undefined {
  return catalogNames.find(catalog => {
    const columns = columnsOf(catalog);
    const known = columns.map(({ name }) => name);
    const found = new Set(headings.map(heading => columnName(heading, known)));
    const required = columns.filter(column => column.required);
    return required.length >= 4 && required.every(({ name }) => found.has(name));
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
  if (!isCandidate(name) || SKIPPED.test(name) || catalogFileNames.has(name)) return undefined;
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
const WORKBOOK = /\.(?:xlsx|xlsm|xlsb|xls|ods|numbers)\s*$/i;
const OTHER_WORKBOOK = /\.(?:xlsm|xlsb|xls|numbers)\s*$/i;
const TABLE = /\.(?:csv|tsv|tab|txt|json)\s*$/i;
const MARKDOWN = /\.(?:md|mdx|mdown|mkd|markdown)\s*$/i;
/** The names of drafts, temporary files and locks. */
const SKIPPED = /^[._~#]/;
const TEXT = /^[^._~#].*\.(?:md|mdx|mdown|mkd|markdown|txt)\s*$/i;

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
