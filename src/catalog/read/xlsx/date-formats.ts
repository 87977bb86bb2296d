/** The formats of dates and times that have a number and no code (ECMA-376, 18.8.30), in all languages. */
const BUILT_IN: readonly [from: number, to: number][] = [
  [14, 22],
  [27, 36],
  [45, 47],
  [50, 58],
];

/** Whether a number format shows a number as a date or a time. `codes` has the codes of the formats that a workbook adds. */
export function isDateFormat(id: number, codes: ReadonlyMap<number, string>): boolean {
  const code = codes.get(id);
  if (code === undefined) return BUILT_IN.some(([from, to]) => id >= from && id <= to);
  // What is in quotes or brackets, and what follows a backslash, an underscore or an asterisk, is no part of a date.
  const letters = code.replace(/"[^"]*"?|\[(?!(?:h+|m+|s+)\])[^\]]*\]?|[\\_*]./gi, '');
  return /[ymdhs]/i.test(letters.split(';')[0] ?? '');
}
