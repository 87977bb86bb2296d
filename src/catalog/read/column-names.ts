/** How many rows may stand above the heading row of a file, such as a title. Such a file is refused. */
export const MAX_TITLE_ROWS = 9;

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
