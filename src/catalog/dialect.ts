/** What may divide the cells of a CSV file, the most usual one first, and what editors call it. */
export const delimiters = new Map([
  [',', 'comma'],
  [';', 'semicolon'],
  ['\t', 'tab'],
  ['|', 'vertical bar'],
]);

/** How many characters a first line `sep=;` takes up, by which a spreadsheet is told the delimiter; 0 without one. */
export function separatorLine(text: string): number {
  return /^"?sep=.?"?(?:\r\n|\n|\r)/i.exec(text)?.[0].length ?? 0;
}

/** In characters; no header that is known is anywhere near. */
const MAX_HEADER_LENGTH = 10_000;

/** The delimiter by which most names of the first line with any are `known`; a comma, where none does better. */
export function chooseDelimiter(text: string, known: readonly string[]): string {
  const [header = ''] = /[^\r\n]*[\p{L}\p{N}][^\r\n]*/u.exec(text.slice(0, MAX_HEADER_LENGTH)) ?? [];
  const matches = (delimiter: string) =>
    header.split(delimiter).filter(cell => known.includes(columnName(cell.replace(/^\s*"|"\s*$/g, ''))));
  return [...delimiters.keys()].reduce((best, other) =>
    matches(other).length > matches(best).length ? other : best,
  );
}

/** Headers are matched without regard to case and to white space (no-break spaces too): `Product ID` is product_id. */
export function columnName(header: string): string {
  return header.trim().toLowerCase().replace(/\s+/g, '_');
}
