import { distance } from 'fastest-levenshtein';
import {
  catalogFileNames,
  isMarkdownName,
  MARKDOWN_CATALOG,
  markdownPath,
} from '../../../contract/catalog-files.ts';
import { catalogNames } from '../../../contract/columns.ts';

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
export const WORKBOOK = /\.(?:xlsx|xlsm|xlsb|xls|ods|numbers)\s*$/i;
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
