/** Everything that can be wrong with the catalog files, each with its code once. Errors stop a set, warnings do not. */
export const problems = {
  NO_DIRECTORY: { severity: 'error', meaning: 'the catalog directory cannot be read' },
  MISSING_FILE: { severity: 'error', meaning: 'a required catalog has no file' },
  TWO_FILES: { severity: 'error', meaning: 'a catalog has both a .json and a .csv file' },
  UNREADABLE_FILE: { severity: 'error', meaning: 'the system refused to read a file' },
  LOAD_FAILED: { severity: 'error', meaning: 'reading the set took too much memory or time' },
  FILE_TOO_BIG: { severity: 'error', meaning: 'a file is bigger than `MAX_FILE_MB`' },
  BAD_ENCODING: { severity: 'error', meaning: 'a byte is of no encoding that is read' },
  WORKBOOK: { severity: 'error', meaning: 'a workbook under the name of a text file' },
  WEB_PAGE: { severity: 'error', meaning: 'a web page under the name of a catalog' },
  NUL_BYTE: { severity: 'error', meaning: 'a NUL byte, which no text has' },
  MERGE_CONFLICT: { severity: 'error', meaning: 'the marks of a merge that was not finished' },
  EMPTY_FILE: { severity: 'error', meaning: 'a file has no header or no array' },
  MISSING_COLUMN: { severity: 'error', meaning: 'the header of a CSV file lacks a required column' },
  DUPLICATE_COLUMN: { severity: 'error', meaning: 'a header or a JSON key stands twice' },
  FORBIDDEN_COLUMN: { severity: 'error', meaning: 'a column named `__proto__`' },
  BLANK_COLUMN: { severity: 'error', meaning: 'a column of a CSV file has no name' },
  RAGGED_ROW: { severity: 'error', meaning: 'a CSV row has more or fewer cells than the header' },
  LINE_TOO_LONG: { severity: 'error', meaning: 'a line of a CSV file has more than 10,000,000 characters' },
  UNCLOSED_QUOTE: { severity: 'error', meaning: 'a quoted CSV cell never ends' },
  STRAY_QUOTE: { severity: 'error', meaning: 'a quote inside a CSV cell is not doubled' },
  BAD_JSON: { severity: 'error', meaning: 'the file is no JSON from here on' },
  NOT_AN_ARRAY: { severity: 'error', meaning: 'the top level of a JSON file is no array' },
  NOT_AN_OBJECT: { severity: 'error', meaning: 'a row of a JSON file is no object' },
  TOO_DEEP: { severity: 'error', meaning: 'values of a JSON file are nested beyond reason' },
  MISSING_VALUE: { severity: 'error', meaning: 'a required value is absent or empty' },
  BAD_ID: { severity: 'error', meaning: 'not a positive whole number' },
  BAD_NUMBER: { severity: 'error', meaning: 'not a number of the form that the column wants' },
  BAD_BOOLEAN: { severity: 'error', meaning: 'neither true nor false' },
  BAD_TIME: { severity: 'error', meaning: 'not a time' },
  FORMULA: { severity: 'error', meaning: 'a formula, or the error of one, instead of a value' },
  BAD_UNIT: { severity: 'error', meaning: 'not a unit of duration' },
  BAD_TEXT: { severity: 'error', meaning: 'not a text' },
  BAD_FILE_NAME: { severity: 'error', meaning: 'not a plain file name' },
  DUPLICATE_ID: { severity: 'error', meaning: 'two rows of a catalog have one id' },
  DUPLICATE_PRICE: {
    severity: 'error',
    meaning: 'two prices for one product, configuration and duration',
  },
  UNKNOWN_REFERENCE: { severity: 'error', meaning: 'an id refers to a row that does not exist' },
  WRONG_PRODUCT: { severity: 'error', meaning: 'a price names another product than its configuration' },
  SHRUNK: {
    severity: 'error',
    meaning: 'a catalog has fewer than half of the rows that are served of it, or none any more',
  },
  CUT_OFF: { severity: 'error', meaning: 'a file ends inside its last line, unlike the one that is served' },
  UNKNOWN_COLUMN: { severity: 'warning', meaning: 'a column that Vitrine does not know; it is left out' },
  NO_PRICE: { severity: 'warning', meaning: 'a configuration has no price at all' },
  NO_IMAGE: {
    severity: 'warning',
    meaning: 'a news item names an image that is not in the images directory',
  },
  UNKNOWN_IMAGE_KIND: { severity: 'warning', meaning: 'an image of a kind that is not served' },
  OTHER_RELATION: {
    severity: 'warning',
    meaning: 'a price row with another rel_type than 1; it is left out',
  },
} as const satisfies Record<string, { severity: 'error' | 'warning'; meaning: string }>;

export type ProblemCode = keyof typeof problems;

/** A place in a catalog file. Lines and columns count from 1, columns in characters (code points). */
export interface Place {
  file: string;
  line?: number;
  column?: number;
}

/** One thing that an editor has to know: where it is, what it is, what to write instead. */
export interface Problem extends Place {
  code: ProblemCode;
  message: string;
  /** The other place, where two places clash. */
  also?: Place;
}

/** Takes up one problem; reading goes on, so that all are told at once. `also` is the other place of a clash. */
export type Report = (place: Place, code: ProblemCode, message: string, also?: Place) => void;

/** Whether the problem stops its set. */
export function isError(problem: Problem): boolean {
  return problems[problem.code].severity === 'error';
}

/** `FILE:LINE:COLUMN`, as editors and terminals make it a link; the parts that are not known are left out. */
export function formatPlace({ file, line, column }: Place): string {
  return [file, line, column].filter(part => part !== undefined).join(':');
}

/** What a file says, for a message: on one line, without control characters, and cut to 40 characters. */
export function excerpt(text: string): string {
  const line = text.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{Bidi_Control}]/gu, escapeCharacter);
  return line.length > 40 ? `${line.slice(0, 40)}…` : line;
}

function escapeCharacter(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`;
}

/** `FILE:LINE:COLUMN: error CODE message`, on one line. */
export function formatProblem(problem: Problem): string {
  return `${formatPlace(problem)}: ${problems[problem.code].severity} ${problem.code} ${problem.message}`;
}
