import type { Static } from '@sinclair/typebox';
import type { ProblemSchema, SourceLocation } from './health.ts';

export type { SourceLocation } from './health.ts';

/** The stable codes of problems. A set with errors is not served, unless it was served before. */
export const problems = {
  NO_DIRECTORY: 'error',
  MISSING_FILE: 'error',
  TWO_FILES: 'error',
  UNREADABLE_FILE: 'error',
  LOAD_FAILED: 'error',
  FILE_TOO_BIG: 'error',
  BAD_ENCODING: 'error',
  WORKBOOK: 'error',
  BAD_WORKBOOK: 'error',
  NO_SHEET: 'error',
  TWO_SHEETS: 'error',
  MERGED_CELLS: 'error',
  WEB_PAGE: 'error',
  LFS_POINTER: 'error',
  NUL_BYTE: 'error',
  MERGE_CONFLICT: 'error',
  EMPTY_FILE: 'error',
  NO_HEADINGS: 'error',
  TITLE_ROW: 'error',
  MISSING_COLUMN: 'error',
  DUPLICATE_COLUMN: 'error',
  FORBIDDEN_COLUMN: 'error',
  BLANK_COLUMN: 'error',
  RAGGED_ROW: 'error',
  TOO_MANY_ROWS: 'error',
  TOO_MANY_COLUMNS: 'error',
  UNCLOSED_QUOTE: 'error',
  STRAY_QUOTE: 'error',
  BAD_JSON: 'error',
  NOT_AN_ARRAY: 'error',
  NOT_AN_OBJECT: 'error',
  TOO_DEEP: 'error',
  BAD_FRONT_MATTER: 'error',
  TWO_IDS: 'error',
  /** A total, a note, or headings of another table. */
  NOT_A_ROW: 'error',
  MISSING_VALUE: 'error',
  BAD_ID: 'error',
  BAD_NUMBER: 'error',
  /** A text such as 1.928, which may be 1928. */
  AMBIGUOUS_NUMBER: 'error',
  THOUSANDS_SEPARATOR: 'error',
  DECIMAL_SIGN: 'error',
  BAD_BOOLEAN: 'error',
  BAD_TIME: 'error',
  /** A formula without a value or with an error. */
  FORMULA: 'error',
  BAD_UNIT: 'error',
  BAD_FORMAT: 'error',
  BAD_TEXT: 'error',
  BAD_FILE_NAME: 'error',
  DUPLICATE_ID: 'error',
  DUPLICATE_PRICE: 'error',
  /** A name of several rows, or a number that is both an id and a name. */
  AMBIGUOUS_NAME: 'error',
  UNKNOWN_REFERENCE: 'error',
  WRONG_PRODUCT: 'error',
  NEVER_SHOWN: 'error',
  /** A column of another program that may keep the row from the public. */
  NOT_PUBLIC: 'error',
  NOT_READ: 'warning',
  /** A table beside the catalogs that is none. */
  OTHER_TABLE: 'warning',
  HIDDEN_SHEET: 'warning',
  HIDDEN_CELLS: 'warning',
  STRUCK_OUT: 'warning',
  SHOWN_OTHERWISE: 'warning',
  UNKNOWN_COLUMN: 'warning',
  /** A column of another program that is read as one of ours. */
  FOREIGN_COLUMN: 'warning',
  DAMAGED_TEXT: 'warning',
  OMITTED_HTML: 'warning',
  OMITTED_LINK: 'warning',
  /** Syntax of another program in Markdown, or a link to a Markdown file. */
  FOREIGN_SIGN: 'warning',
  NO_PRICE: 'warning',
  /** The first price of a configuration is in the future. */
  NO_PRICE_YET: 'warning',
  FAR_DATE: 'warning',
  SAME_PRICE: 'warning',
  NO_IMAGE: 'warning',
  /** An empty image, or a pointer of Git LFS. */
  BAD_IMAGE: 'warning',
  UNKNOWN_IMAGE_KIND: 'warning',
  OTHER_RELATION: 'warning',
  /** A `create_time` in the future without a `publish_time`: the item shows at once. */
  FUTURE_TIME: 'warning',
  SKIPPED_TIME: 'warning',
} as const satisfies Record<string, 'error' | 'warning'>;

export type ProblemCode = keyof typeof problems;

/**
 * A problem for editors to correct. The message says what is wrong, then what to do. About a cell, it begins with the heading:
 * `price "x": write a plain number such as 12.50`.
 */
export interface Problem extends Omit<Static<typeof ProblemSchema>, 'code'> {
  code: ProblemCode;
}

/** A place in a catalog file. Locating it takes time, and is only done for problems that are shown. */
export interface UnlocatedPlace extends Pick<SourceLocation, 'file' | 'sheet' | 'heading'> {
  /** Identifies the row, if the place is in one. */
  row?: object;
  locate(): SourceLocation;
}

export type Place = SourceLocation | UnlocatedPlace;

/**
 * Reports a problem; reading continues, so that all are found at once. Problems of one code in a column are equal if they
 * differ only in values. `also` is the other location of a clash. `together` is the message if several files have this problem.
 * @throws TooManyErrors after the 10,000th error.
 */
export type Reporter = (
  place: Place,
  code: ProblemCode,
  message: string,
  also?: SourceLocation,
  together?: string,
) => void;

/** Formats `FILE:LINE:COLUMN`, which editors and terminals turn into a link; in a workbook, `catalog.xlsx [prices] E17`. */
export function formatLocation(location: SourceLocation): string {
  const { file, sheet, line, column } = location;
  if (sheet === undefined) return [file, line, column].filter(part => part !== undefined).join(':');
  return [formatFile(location), formatCell(location)].filter(part => part !== undefined).join(' ');
}

export function formatFile({ file, sheet }: { file: string; sheet?: string | undefined }): string {
  return sheet === undefined ? file : `${file} [${sheet}]`;
}

/** Formats a place as a spreadsheet shows it: `E17` or `row 17`; undefined in JSON. */
export function formatCell({ cell, row }: SourceLocation): string | undefined {
  return cell ?? (row === undefined ? undefined : `row ${row}`);
}

/** Formats a place for a message: `E17 in prices.csv`, or `FILE:LINE:COLUMN` without a cell. */
export function formatPlace(location: SourceLocation): string {
  const cell = location.sheet === undefined ? formatCell(location) : undefined;
  return cell === undefined ? formatLocation(location) : `${cell} in ${location.file}`;
}
