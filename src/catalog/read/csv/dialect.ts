import { knownHeadings, MAX_TITLE_ROWS } from '../column-names.ts';

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
