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

/** In UTF-16 units; no known header is nearly as long. */
const MAX_HEADER_LENGTH = 10_000;

/** The delimiter that yields most `known` names in the first line that is not blank; a comma in case of a tie. */
export function chooseDelimiter(text: string, known: readonly string[]): string {
  const [header = ''] = /[^\r\n]*[\p{L}\p{N}][^\r\n]*/u.exec(text.slice(0, MAX_HEADER_LENGTH)) ?? [];
  const matches = (delimiter: string) =>
    header.split(delimiter).filter(cell => known.includes(columnName(cell.replace(/^\s*"|"\s*$/g, ''))));
  return [...delimiters.keys()].reduce((best, other) =>
    matches(other).length > matches(best).length ? other : best,
  );
}

/** The column that a heading names: case and the kind of white space do not matter, so `Product ID` is product_id. */
export function columnName(heading: string): string {
  return heading.trim().toLowerCase().replace(/\s+/g, '_');
}
