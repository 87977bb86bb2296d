import { basename, dirname } from 'node:path/posix';
import { distance } from 'fastest-levenshtein';
import {
  catalogFileNames,
  catalogFiles,
  catalogWorkbooks,
  dateIn,
  isMarkdownName,
  isMarkdownPath,
  MARKDOWN_FILES,
  MARKDOWN_FOLDER,
  markdownName,
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
  /** The path under which it would be read. */
  target: string;
  /** Whether only its headings, and not its name, are those of the catalog. */
  hasHeadings?: boolean;
}

/**
 * Warns of each look-alike, and of other tables among the paths of a directory. `fileOf` returns the file that is read
 * instead. `gone` are served files that are gone.
 */
export function warnOfUnread(
  paths: readonly string[],
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
    const together = `these files are not read${instead}: ${remedyForSeveral(lookAlike)}, or begin their names with _`;
    report({ file }, 'NOT_READ', message, undefined, lost ? undefined : together);
  }
  const known = new Set(lookAlikes.map(({ file }) => file));
  for (const file of paths.filter(path => isOtherTable(path) && !known.has(path))) {
    const message = 'this file is not read: move it to another folder, or begin its name with _';
    const together = 'these files are not read: move them to another folder, or begin their names with _';
    report({ file }, 'OTHER_TABLE', message, undefined, together);
  }
}

/** Says what to do about a served file, or a sheet of the workbook of all catalogs, that is gone. */
export function gone(file: string, catalog: CatalogName, lookAlikes: readonly LookAlike[]): string {
  const remedy = remedyFor(catalog, lookAlikes);
  if (file === MARKDOWN_FILES) return `all files ${file} are gone: ${remedy ?? 'put them back'}`;
  const what = catalogWorkbooks.includes(file) ? `the sheet ${catalog} of ${file}` : file;
  return `${what} is gone: ${remedy ?? 'put it back'}`;
}

/** Says how a look-alike becomes the missing catalog; undefined if there is none. */
export function remedyFor(catalog: CatalogName, lookAlikes: readonly LookAlike[]): string | undefined {
  const lookAlike = lookAlikes.find(other => other.catalog === catalog);
  return lookAlike && `there is a "${excerpt(lookAlike.file)}", ${remedy(lookAlike)}`;
}

function remedy({ file, target }: LookAlike): string {
  const [from, to] = [dirname(file), dirname(target)];
  if (from !== to && from.toLowerCase() === to) return `rename its folder to ${to}`;
  if (COMPRESSED.test(file)) return `unpack it, and save it as ${target}`;
  if (isMarkdownPath(target) && !PLAIN_TEXT.test(file)) return `write it as Markdown in ${target}`;
  if (OTHER_WORKBOOK.test(file)) return `save it as an Excel workbook named ${target}`;
  if (OTHER_TABLE.test(file))
    return `save it as ${JSON_LIKE.test(file) ? 'a JSON array' : 'CSV'} named ${target}`;
  return `${from === to ? 'rename' : 'move'} it to ${target}`;
}

/** The remedy for several files: each may be a news item, but only one the catalog. */
function remedyForSeveral(lookAlike: LookAlike): string {
  if (!isMarkdownPath(lookAlike.target)) return remedy(lookAlike).replace(/\bit\b/, 'one of them');
  const name = markdownPath(isBundle(lookAlike.file) ? 'FOLDER.md' : 'NAME.md');
  return remedy({ ...lookAlike, target: name }).replace(/\bit\b/g, 'them');
}

function tableLike(file: string, catalog: LookAlike['catalog']): LookAlike {
  const extension = WORKBOOK.test(file) ? 'xlsx' : JSON_LIKE.test(file) ? 'json' : 'csv';
  return { file, catalog, target: `${catalog}.${/\.ods\s*$/i.test(file) ? 'ods' : extension}` };
}

function newsItem(file: string): LookAlike {
  // A page bundle is named by its folder.
  const name = isBundle(file) ? basename(file).replace(/^index/i, basename(dirname(file))) : basename(file);
  const target = isMarkdownName(name) ? name : `${name.replace(ENDINGS, '')}.md`;
  return { file, catalog: MARKDOWN_FOLDER, target: markdownPath(target) };
}

function isBundle(file: string): boolean {
  const isInFolder = !['.', MARKDOWN_FOLDER].includes(dirname(file).toLowerCase());
  return isInFolder && /^index\./i.test(basename(file));
}

/** Whether a path has the extension of a table, text or workbook, and is not read. */
function isOther(path: string): boolean {
  const isRead = catalogFileNames.has(path) || markdownName(path) !== undefined;
  return LOOKS.test(path) && !SKIPPED.test(basename(path)) && !isRead;
}

/** Whether a path is a table beside the catalogs that is none, and no file of another program. */
function isOtherTable(path: string): boolean {
  return OWN_TABLE.test(path) && !OF_PROGRAMS.test(path) && isOther(path);
}

/** Returns the names that may be look-alikes or other tables, in a directory and in its Markdown folder. */
export function candidatesIn(names: readonly string[], inFolder: readonly string[]): string[] {
  const own = names.filter(name => isCandidate(name) || isOtherTable(name));
  return [...own, ...inFolder.map(markdownPath)].filter(isOther);
}

/** The maximum number of files that are opened to check their content. */
const MAX_PEEKED = 200;

/**
 * Finds the look-alikes among paths by their names, or by their headings or front matter, for which `peek` returns the
 * beginning of a file. They are grouped by catalog, the shortest names first.
 */
export async function findLookAlikes(
  paths: readonly string[],
  peek: (file: string) => Promise<Buffer | undefined>,
): Promise<LookAlike[]> {
  const found: LookAlike[] = [];
  const unclear: string[] = [];
  for (const file of paths.filter(isOther)) {
    const name = basename(file);
    const catalog = catalogFiles.find(known => known.file === name)?.catalog ?? catalogLike(name);
    const isInNews = dirname(file).split('/')[0]?.toLowerCase() === MARKDOWN_FOLDER;
    const isDated = MARKDOWN_ENDING.test(name) && dateIn(name) !== undefined;
    if (catalog && !(isInNews && TEXT_ENDING.test(name))) found.push(tableLike(file, catalog));
    else if (isInNews || isDated) found.push(newsItem(file));
    else if (TABLE.test(name) || MARKDOWN_ENDING.test(name)) unclear.push(file);
  }
  for (const file of unclear.slice(0, MAX_PEEKED)) {
    const beginning = await peek(file);
    if (!beginning) continue;
    const isText = MARKDOWN_ENDING.test(file);
    const catalog = isText ? undefined : catalogWithHeadings(headingsIn(file, beginning));
    if (catalog) found.push({ ...tableLike(file, catalog), hasHeadings: true });
    else if (isText && /^\uFEFF?---\s*\n/.test(beginning.toString())) found.push(newsItem(file));
  }
  return found.sort(
    (one, other) =>
      targets.indexOf(one.catalog) - targets.indexOf(other.catalog) ||
      one.file.length - other.file.length ||
      (one.file < other.file ? -1 : 1),
  );
}

/** Returns the catalog with all required columns among the headings; `id` and `name` alone do not suffice. */
export function catalogWithHeadings(headings: readonly string[]): CatalogName | undefined {
  return catalogNames.find(catalog => {
    const columns = columnsOf(catalog);
    const known = columns.map(({ name }) => name);
    const found = new Set(headings.map(heading => columnName(heading, known)));
    const required = columns.filter(column => column.required);
    return required.length >= 4 && required.every(({ name }) => found.has(name));
  });
}

/** Returns the headings of a CSV file, or the keys of the first row of a JSON file, from its beginning. */
function headingsIn(file: string, beginning: Buffer): string[] {
  const text = beginning.toString(beginning[0] === 0xff ? 'utf16le' : 'utf8').replace(/^\uFEFF/, '');
  if (/\.json\b/i.test(file) || text.trimStart().startsWith('[')) {
    const first = text.slice(text.indexOf('{')).split('}')[0] ?? '';
    return Array.from(first.matchAll(/"([^"\\]*)"\s*:/g), ([, key]) => String(key));
  }
  const lines = text.split(/[\r\n]+/).filter(line => line.trim() !== '' && !/^sep=/i.test(line));
  return (lines[0] ?? '').split(/[,;\t|]/).map(cell => cell.replaceAll('"', ''));
}

/** Returns the catalog that a file name resembles; undefined if it is that catalog, a temporary file or neither. */
export function catalogLike(name: string): LookAlike['catalog'] | undefined {
  if (!isCandidate(name) || SKIPPED.test(name) || catalogFileNames.has(name)) return undefined;
  const stem = name.slice(0, name.lastIndexOf('.'));
  const parts = stem.toLowerCase().split(' - ');
  // Spreadsheet programs name downloads after workbook and sheet: `Shop - prices.csv`, `prices - Sheet1.csv`.
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

const compressed = 'gz|tgz|tar|zip|bz2|xz|7z|rar|zst';
const jsonLike = 'ndjson|jsonl|yml|yaml|toml';
const workbooks = 'xlsm|xlsb|xls|fods|numbers';
const markdowns = 'md|mdx|mdown|mkd|mdoc|markdown';
const tables = `csv|tsv|tab|txt|json|xml|sql|${jsonLike}|xlsx|ods|${workbooks}|${compressed}`;
const texts = `${markdowns}|txt|html|htm|rst|adoc|asciidoc|org|textile|rtf|doc|docx|odt`;
const endingWith = (names: string) => new RegExp(`\\.(?:${names})(?:\\.(?:${compressed}))?\\s*$`, 'i');
const extensions = new Set(tables.split('|'));
const BEGINNING = /pri|pro|con|dur|new|[ck]at/i;
const WORKBOOK = endingWith(`xlsx|ods|${workbooks}`);
const OTHER_WORKBOOK = endingWith(workbooks);
const JSON_LIKE = new RegExp(`\\.(?:json|${jsonLike})\\b`, 'i');
const OTHER_TABLE = endingWith(`xml|sql|${jsonLike}`);
const TABLE = /\.(?:csv|tsv|tab|txt|json)\s*$/i;
const COMPRESSED = endingWith(compressed);
const MARKDOWN_ENDING = endingWith(markdowns);
const PLAIN_TEXT = endingWith(`${markdowns}|txt`);
const TEXT_ENDING = endingWith(texts);
const LOOKS = endingWith(`${tables}|${texts}`);
const ENDINGS = new RegExp(`(?:\\.(?:draft|${tables}|${texts}))+\\s*$`, 'i');
const OWN_TABLE = /^[^/]*\.(?:csv|json|xlsx|ods)\s*$/i;
/** What other programs keep in JSON, such as `package.json` and `tsconfig.build.json`. */
const OF_PROGRAMS =
  /^(?:package|composer|bower|deno|lerna|turbo|nx|angular|biome|firebase|vercel|netlify|renovate|nodemon|datapackage)\.json$|(?:manifest|config|schema|settings|[-.]lock|shrinkwrap)(?:\.[\w-]+)?\.json$/i;
/** Drafts, temporary files and locks. */
const SKIPPED = /^[._~#]/;

/** What people and programs add to file names, besides numbers. */
const additions = new Set(
  `copy kopie copia copie kopia cópia of von de av backup old new neu alt final draft test version v q conflict conflicted
  updated latest current export list table data file sheet tabelle feuille hoja foglio blad
  ${[...extensions].join(' ')}`.split(/\s+/),
);

/** Removes additions and what is in brackets: `prices` of `Copy of prices (1)`. */
function essence(name: string): string {
  const words = name.replace(/\([^()]*\)|\[[^[\]]*\]/g, ' ').split(/[^\p{L}]+/u);
  return words.filter(word => !additions.has(word)).join('');
}

/** One letter may be wrong, as in `price`, but not in a short word. */
function isLike(word: string, catalog: string): boolean {
  if (word === catalog) return true;
  return catalog.length > 4 && Math.abs(word.length - catalog.length) < 2 && distance(word, catalog) < 2;
}
