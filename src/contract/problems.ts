import { printable } from '../messages.ts';

/** Every problem that a set of catalog files can have, by its stable code. A set with errors is not served. */
export const problems = {
  NO_DIRECTORY: { severity: 'error', meaning: 'the catalog directory cannot be read' },
  MISSING_FILE: {
    severity: 'error',
    meaning: 'a catalog that another one refers to has no file, or there are no catalog files at all',
  },
  TWO_FILES: { severity: 'error', meaning: 'a catalog has two files, or a file and a sheet' },
  UNREADABLE_FILE: { severity: 'error', meaning: 'a file cannot be read' },
  LOAD_FAILED: { severity: 'error', meaning: 'loading the set takes too much memory or time' },
  FILE_TOO_BIG: {
    severity: 'error',
    meaning: 'a file is larger than `MAX_FILE_MB`, or a workbook far larger once it is unpacked',
  },
  BAD_ENCODING: { severity: 'error', meaning: 'a file is not in UTF-8, UTF-16 or `CSV_ENCODING`' },
  WORKBOOK: { severity: 'error', meaning: 'a workbook with the name of a text file' },
  BAD_WORKBOOK: {
    severity: 'error',
    meaning: 'a workbook is damaged, has a password, or is of another kind',
  },
  NO_SHEET: { severity: 'error', meaning: 'a workbook has no sheet with the name of a catalog' },
  TWO_SHEETS: { severity: 'error', meaning: 'a workbook has two sheets for a catalog' },
  MERGED_CELLS: { severity: 'error', meaning: 'cells of a workbook are merged' },
  WEB_PAGE: { severity: 'error', meaning: 'a web page with the name of a catalog' },
  NUL_BYTE: { severity: 'error', meaning: 'a NUL character, which text does not contain' },
  MERGE_CONFLICT: { severity: 'error', meaning: 'the conflict markers of an unfinished merge' },
  EMPTY_FILE: {
    severity: 'error',
    meaning: 'a CSV file or a sheet has no heading row, a JSON file no array, or a Markdown file no text',
  },
  NO_HEADINGS: {
    severity: 'error',
    meaning: 'the first row of a CSV file or a sheet has no known column heading',
  },
  TITLE_ROW: {
    severity: 'error',
    meaning: 'the column headings of a CSV file or a sheet are not in its first row',
  },
  MISSING_COLUMN: { severity: 'error', meaning: 'a CSV file or a sheet lacks a required column' },
  DUPLICATE_COLUMN: {
    severity: 'error',
    meaning: 'two columns, or two keys of a JSON row, have the same name',
  },
  FORBIDDEN_COLUMN: { severity: 'error', meaning: 'a column is named `__proto__`' },
  BLANK_COLUMN: { severity: 'error', meaning: 'a column of a CSV file or a sheet has no heading' },
  RAGGED_ROW: {
    severity: 'error',
    meaning: 'a row has more or, in a CSV file, fewer cells than the heading row',
  },
  LINE_TOO_LONG: { severity: 'error', meaning: 'a line of a CSV file has more than 10,000,000 characters' },
  TOO_MANY_ROWS: { severity: 'error', meaning: 'a file has more than 1,048,576 rows, including empty ones' },
  TOO_MANY_COLUMNS: { severity: 'error', meaning: 'a row has more than 16,384 columns' },
  UNCLOSED_QUOTE: { severity: 'error', meaning: 'a quoted CSV cell has no closing quote' },
  STRAY_QUOTE: { severity: 'error', meaning: 'a quote inside a CSV cell is not doubled' },
  BAD_JSON: { severity: 'error', meaning: 'invalid JSON from this point' },
  NOT_AN_ARRAY: { severity: 'error', meaning: 'a JSON file is not an array of rows' },
  NOT_AN_OBJECT: { severity: 'error', meaning: 'a row of a JSON file is not an object' },
  TOO_DEEP: { severity: 'error', meaning: 'a value of a JSON file is nested more than 32 levels deep' },
  BAD_FRONT_MATTER: {
    severity: 'error',
    meaning: 'the front matter of a Markdown file is not YAML with one value for each name',
  },
  TWO_IDS: { severity: 'error', meaning: 'a Markdown file has one id in its name and another one inside' },
  NOT_A_ROW: {
    severity: 'error',
    meaning: 'a row of a CSV file or a sheet is a total, a note, or the headings of another table',
  },
  MISSING_VALUE: { severity: 'error', meaning: 'a required value is absent or empty' },
  BAD_ID: { severity: 'error', meaning: 'not a positive whole number' },
  BAD_NUMBER: { severity: 'error', meaning: 'not a number, or not one that the column allows' },
  AMBIGUOUS_NUMBER: {
    severity: 'error',
    meaning: 'a text such as 1.928, which may be 1928, in a column that does not show which',
  },
  THOUSANDS_SEPARATOR: { severity: 'error', meaning: 'a number with thousands separators' },
  DECIMAL_SIGN: {
    severity: 'error',
    meaning: 'a number with another decimal sign than others of its column',
  },
  BAD_BOOLEAN: { severity: 'error', meaning: 'not true or false' },
  BAD_TIME: { severity: 'error', meaning: 'not a date or a time, or one that can be read in two ways' },
  FORMULA: { severity: 'error', meaning: 'a formula, or its error, instead of a value' },
  BAD_UNIT: { severity: 'error', meaning: 'not a unit of duration' },
  BAD_FORMAT: { severity: 'error', meaning: 'not a format of `content`' },
  BAD_TEXT: { severity: 'error', meaning: 'not text, or too long' },
  BAD_FILE_NAME: { severity: 'error', meaning: 'not a plain file name' },
  DUPLICATE_ID: { severity: 'error', meaning: 'two rows of a catalog have the same id' },
  DUPLICATE_PRICE: {
    severity: 'error',
    meaning: 'two prices have the same product, configuration and duration',
  },
  AMBIGUOUS_NAME: {
    severity: 'error',
    meaning: 'a reference by a name that several rows have, or by a number that is an id and a name',
  },
  UNKNOWN_REFERENCE: { severity: 'error', meaning: 'an id or a name refers to a row that does not exist' },
  WRONG_PRODUCT: { severity: 'error', meaning: 'a price and its configuration have different products' },
  NEVER_SHOWN: {
    severity: 'error',
    meaning: 'a news item whose `unpublish_time` is not after its `publish_time`',
  },
  NOT_PUBLIC: {
    severity: 'error',
    meaning: 'a `status` or a `visibility` that may mean that a row is not public',
  },
  NOT_READ: {
    severity: 'warning',
    meaning: 'a file or a sheet that looks like a catalog is not read, because of its name or its folder',
  },
  HIDDEN_SHEET: { severity: 'warning', meaning: 'a sheet of a workbook is hidden, and read all the same' },
  HIDDEN_CELLS: {
    severity: 'warning',
    meaning: 'a row or a column of a sheet is hidden, and read all the same',
  },
  STRUCK_OUT: { severity: 'warning', meaning: 'a row of a sheet is struck out, and read all the same' },
  SHOWN_OTHERWISE: {
    severity: 'warning',
    meaning: 'a number of a workbook whose format shows something else than its value, which is served',
  },
  UNKNOWN_COLUMN: { severity: 'warning', meaning: 'Vitrine does not know this column, and ignores it' },
  DAMAGED_TEXT: {
    severity: 'warning',
    meaning: 'a text that was cut off, or has characters that were lost or changed by a program',
  },
  OMITTED_HTML: { severity: 'warning', meaning: 'HTML in a Markdown text, which is left out' },
  OMITTED_LINK: {
    severity: 'warning',
    meaning: 'a link in a Markdown text that could run a program, and is left out',
  },
  FOREIGN_SIGN: {
    severity: 'warning',
    meaning:
      'a sign of another program in a Markdown text, which is shown as it is, or a link to a Markdown file',
  },
  NO_PRICE: { severity: 'warning', meaning: 'a configuration has no price' },
  NO_IMAGE: { severity: 'warning', meaning: 'the image of a news item is not in the images directory' },
  UNKNOWN_IMAGE_KIND: {
    severity: 'warning',
    meaning: 'the image of a news item has a file type that is not served',
  },
  OTHER_RELATION: {
    severity: 'warning',
    meaning: 'a price is not that of a configuration (`rel_type` is not 1), and is ignored',
  },
  FUTURE_TIME: {
    severity: 'warning',
    meaning: 'a `create_time` in the future without a `publish_time`: the news item shows at once',
  },
  SKIPPED_TIME: {
    severity: 'warning',
    meaning: 'a local time that does not exist, because the clocks go forward then',
  },
} as const satisfies Record<string, { severity: 'error' | 'warning'; meaning: string }>;

export type ProblemCode = keyof typeof problems;

/**
 * A location in a catalog file: for programs its line and column, for editors its row and cell in a spreadsheet. All
 * count from 1, columns in characters (code points). Workbooks have no lines.
 */
export interface SourceLocation {
  file: string;
  /** The sheet of a workbook. */
  sheet?: string;
  line?: number;
  column?: number;
  /** The row in a spreadsheet, where a cell of several lines takes one row. */
  row?: number;
  /** The cell in a spreadsheet, such as `E17`; undefined for a whole row. */
  cell?: string;
  /** The heading of a column, or the key of a JSON value. */
  heading?: string;
}

/** A problem for editors to correct. Its message says what is wrong, then what to do. */
export interface Problem extends SourceLocation {
  code: ProblemCode;
  /** About a cell, it begins with the heading: `price "x": write a plain number such as 12.50`. */
  message: string;
  /** The other location, if two rows clash. */
  also?: SourceLocation;
  /** How many cells or rows of the column have this problem, and the last of them; undefined for a single one. */
  count?: number;
  last?: SourceLocation;
  /** All of them in a spreadsheet, such as `E17` or `row 17`, if they are few. */
  cells?: string[];
}

/** A place in a catalog file that takes time to locate, so that this is done only for problems that are shown. */
export interface UnlocatedPlace extends Pick<SourceLocation, 'file' | 'sheet' | 'heading'> {
  /** Identifies the row; undefined for what is not in one. */
  row?: object;
  locate(): SourceLocation;
}

export type Place = SourceLocation | UnlocatedPlace;

/**
 * Reports a problem; reading continues, so that all problems are found at once. Problems of one code in one column
 * count as equal. `also` is the other location of a clash.
 * @throws TooManyErrors after the 10,000th error.
 */
export type Reporter = (place: Place, code: ProblemCode, message: string, also?: SourceLocation) => void;

/** Whether the problem keeps its set from being served. */
export function isError({ code }: Pick<Problem, 'code'>): boolean {
  return problems[code].severity === 'error';
}

/**
 * `FILE:LINE:COLUMN`, which editors and terminals turn into a link; in a workbook `catalog.xlsx [prices] E17`. Unknown parts
 * are left out.
 */
export function formatLocation(location: SourceLocation): string {
  const { file, sheet, line, column } = location;
  if (sheet === undefined) return [file, line, column].filter(part => part !== undefined).join(':');
  return [formatFile(location), formatCell(location)].filter(part => part !== undefined).join(' ');
}

/** `prices.csv`, or `catalog.xlsx [prices]` for a sheet of a workbook. */
export function formatFile({ file, sheet }: { file: string; sheet?: string | undefined }): string {
  return sheet === undefined ? file : `${file} [${sheet}]`;
}

/** The place as a spreadsheet shows it, `E17` or `row 17`; undefined in JSON. */
export function formatCell({ cell, row }: SourceLocation): string | undefined {
  return cell ?? (row === undefined ? undefined : `row ${row}`);
}

/** The place for a message: `E17 in prices.csv`, or `FILE:LINE:COLUMN` without a cell. */
export function formatPlace(location: SourceLocation): string {
  const cell = location.sheet === undefined ? formatCell(location) : undefined;
  return cell === undefined ? formatLocation(location) : `${cell} in ${location.file}`;
}

/**
 * `FILE:LINE:COLUMN: error CODE E17, message`, or `row 17: message`, on one printable line. For several cells, their
 * number and the last one follow, as in `(221 cells, E2 to E248)`; or each, if they are few, as in `(2 cells: E2, E17)`.
 */
export function formatProblem(problem: Problem): string {
  const { sheet, cell, row, code, message } = problem;
  const { severity } = problems[code];
  const cellPlace = cell === undefined ? row && `row ${row}: ` : `${cell}, `;
  const place = sheet === undefined ? cellPlace : undefined;
  const text = `${formatLocation(problem)}: ${severity} ${code} ${place ?? ''}${message}`;
  return printable(text) + formatExtent(problem);
}

function formatExtent({ count, last, cells, ...first }: Problem): string {
  if (count === undefined || !last) return '';
  const cell = formatCell(last);
  if (cell === undefined) return ` (${count} times, last at ${formatLocation(last)})`;
  const range = cells ? `: ${cells.join(', ')}` : `, ${formatCell(first)} to ${cell}`;
  return ` (${count} ${last.cell ? 'cells' : 'rows'}${range})`;
}
