import { distance } from 'fastest-levenshtein';
import { type CatalogName, catalogFiles, catalogNames } from '../../../contract/columns.ts';

/** A file that an editor may take for a catalog, such as `prices (1).csv` or `prices.xlsx`, but that is not read. */
export interface LookAlike {
  file: string;
  catalog: CatalogName;
}

/** Nobody needs a warning for more copies of one catalog than this. */
const MAX_EACH = 5;

/** The look-alikes among the names of a directory: at most five of each catalog, those with the shortest names. */
export function findLookAlikes(names: readonly string[]): LookAlike[] {
  const found = new Map<CatalogName, string[]>(catalogNames.map(catalog => [catalog, []]));
  for (const name of names) {
    const catalog = catalogLike(name);
    const files = catalog && found.get(catalog);
    const last = files?.[MAX_EACH - 1];
    if (!files || (last !== undefined && byLength(last, name) < 0)) continue;
    files.push(name);
    files.sort(byLength).splice(MAX_EACH);
  }
  return [...found].flatMap(([catalog, files]) => files.map(file => ({ file, catalog })));
}

/** The catalog that the file of this name looks like; undefined if it is that catalog, a temporary file or no catalog. */
export function catalogLike(name: string): CatalogName | undefined {
  // Almost all names of a large directory end here.
  if (!BEGINNING.test(name) || names.has(name)) return undefined;
  const [, stem = ''] = FILE.exec(name) ?? [];
  const parts = stem.toLowerCase().split(' - ');
  // Spreadsheet programs name a download after its workbook and sheet: `Shop - prices.csv`, `prices - Sheet1.csv`.
  const words = [parts.join(' '), parts[0] ?? '', parts.at(-1) ?? ''].map(essence);
  return catalogNames.find(catalog => words.some(word => isLike(word, catalog.replace('_', ''))));
}

const names: ReadonlySet<string> = new Set(catalogFiles.map(({ file }) => file));
const BEGINNING = /pri|pro|con|dur|new/i;
/** Names that begin with `.`, `~` or `#` are those of temporary files and locks. */
const FILE = /^(?![.~#])(.+)\.(?:csv|json|txt|tsv|tab|xlsx|xlsm|xlsb|xls|ods|numbers)\s*$/i;

/** What people and programs add to the name of a file, besides numbers. */
const additions = new Set(
  `copy kopie copia copie kopia cópia of von de av backup old new neu alt final draft test version v q conflict conflicted
  updated latest current export list table data file sheet tabelle feuille hoja foglio blad
  csv json txt tsv xlsx xlsm xls ods numbers`.split(/\s+/),
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

function byLength(name: string, other: string): number {
  return name.length - other.length || (name < other ? -1 : 1);
}
