/** The delimiters of CSV files and their names, most common first. */
export const delimiters = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'vertical bar'],
]);

/** The length of a first line such as `sep=;`, which names the delimiter for spreadsheets; 0 without one. */
export function separatorLine(text: string): number {
  return /^"?sep=.?"?(?:\r\n|\n|\r)/i.exec(text)?.[0].length ?? 0;
}

/** How many rows may stand above the heading row of a file, such as a title. Such a file is refused. */
export const MAX_TITLE_ROWS = 9;
/** In UTF-16 units; no known headings are nearly as long. */
const MAX_HEADING_LENGTH = 10_000;

/**
 * The delimiter that yields most `known` headings in one of the first lines, or, if these have none, most cells in the
 * first one; a comma in case of a tie.
 */
export function chooseDelimiter(text: string, known: readonly string[]): string {
  const lines = text.slice(0, MAX_HEADING_LENGTH).match(/[^\r\n]*[\p{L}\p{N}][^\r\n]*/gu) ?? [];
  const first = lines.slice(0, MAX_TITLE_ROWS + 1);
  const matches = (delimiter: string) => {
    const unquoted = (line: string) => line.split(delimiter).map(cell => cell.replace(/^\s*"|"\s*$/g, ''));
    return Math.max(0, ...first.map(line => knownHeadings(unquoted(line), known)));
  };
  const cells = (delimiter: string) => first[0]?.split(delimiter).length ?? 0;
  const most = (count: (delimiter: string) => number) =>
    [...delimiters.keys()].reduce((best, other) => (count(other) > count(best) ? other : best));
  const best = most(matches);
  return matches(best) > 0 ? best : most(cells);
}

/** How many of the cells are headings of known columns. */
export function knownHeadings(cells: readonly string[], known: readonly string[]): number {
  return cells.filter(cell => known.includes(columnName(cell, known))).length;
}

/**
 * The column that a heading names. Letter case, white space, hyphens and underscores do not matter: `Product ID`,
 * `product-id` and `productId` are product_id.
 */
export function columnName(heading: string, known: readonly string[]): string {
  const letters = lettersOf(heading);
  return (
    known.find(column => lettersOf(column) === letters) ?? heading.trim().toLowerCase().replace(/\s+/g, '_')
  );
}

function lettersOf(name: string): string {
  return name.toLowerCase().replace(/[\s_-]+/g, '');
}

/** The letters of a spreadsheet's column, from index 0: `A`, `Z`, `AA`. */
export function columnLetters(index: number): string {
  const before = Math.floor(index / 26);
  return (before > 0 ? columnLetters(before - 1) : '') + String.fromCharCode(65 + (index % 26));
}
