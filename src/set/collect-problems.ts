import { isMarkdownPath, MARKDOWN_FILES } from '../contract/catalog-files.ts';
import {
  formatCell,
  formatLocation,
  type Place,
  type Problem,
  type Reporter,
  type SourceLocation,
  problems as severities,
} from '../contract/problems.ts';
import { printable } from '../messages.ts';

const MAX_SHOWN = 100;
/** Reading stops at this many errors. Further warnings are only counted. */
const MAX_KEPT = 10_000;
/** In characters; longer headings are cut. */
const MAX_HEADING = 40;

export type ProblemSummary = ReturnType<ReturnType<typeof collectProblems>['summarize']>;

export class TooManyErrors extends Error {}

/** How many cells or files of a problem are listed, and how many problems of a column with different remedies. */
const MAX_CELLS = 5;

/** A value in a message: quoted, a formula, a number or a time. */
const VALUE = /"(?:[^"\\]|\\.)*"|=\S*|\p{N}(?:[\p{N}.,:TZ -]*[\p{N}Z])?/gu;

/** Equal problems of a column. Only the first is located before it is shown. */
interface Group {
  first: Problem;
  count: number;
  /** The places after the first: all if they are few or files, otherwise the last. */
  others: Place[];
  /** The message about several files; undefined for cells. */
  together: string | undefined;
}

/**
 * Collects the problems of a set. Groups equal ones, unless `listAll`. If the set `wasServed`, errors become warnings: they
 * break rules that are newer than the set.
 */
export function collectProblems({ listAll = false, wasServed = false } = {}) {
  const groups = { errors: new Map<string, Group>(), warnings: new Map<string, Group>() };
  const counts = { errors: 0, warnings: 0 };
  const byRow = new Map<object, number>();
  const apart = new Map<string, number>();
  const report: Reporter = (place, code, message, also, together) => {
    const severity = severities[code] === 'error' ? 'errors' : 'warnings';
    counts[severity] += 1;
    const row = 'locate' in place ? place.row : undefined;
    if (row && (byRow.has(row) || byRow.size < MAX_KEPT)) byRow.set(row, 1 + (byRow.get(row) ?? 0));
    const column = `${code} ${place.file} ${place.sheet} ${place.heading?.slice(0, MAX_HEADING)}`;
    const ownOfColumn = apart.get(column) ?? 0;
    // A clash of two rows, or an error in one of many Markdown files, needs its own remedy.
    const isApart = also !== undefined || (place.file === MARKDOWN_FILES && severity === 'errors');
    // Problems are equal if their remedy is; wrong values also if their fault is.
    const cause = code.startsWith('BAD_') ? message : message.slice(message.lastIndexOf(': '));
    const told = /did you mean .*/.exec(cause)?.[0] ?? cause.replace(VALUE, '');
    const kind = listAll || isApart ? String(counts[severity]) : (together ?? column + told);
    const isNew = !groups[severity].has(kind);
    const key = isNew && !listAll && ownOfColumn === MAX_CELLS ? column : kind;
    if (isNew && key === kind) apart.set(column, ownOfColumn + 1);
    const group = groups[severity].get(key);
    if (group) {
      group.count += 1;
      if (group.together !== undefined) group.others.push(place);
      else group.others = group.count > MAX_CELLS ? [place] : [...group.others, place];
    } else if (groups[severity].size < MAX_KEPT) {
      const shown = wasServed ? 'warning' : severities[code];
      const first = { severity: shown, code, ...locate(place), message, ...(also && { also: locate(also) }) };
      groups[severity].set(key, { first, count: 1, others: [], together });
    }
    if (counts.errors === MAX_KEPT && !wasServed) throw new TooManyErrors();
  };
  return {
    report,
    hasErrors: () => counts.errors > 0 && !wasServed,
    /** The number of problems by row, for the first 10,000 rows with any. */
    byRow: byRow as ReadonlyMap<object, number>,
    /**
     * Lists errors before warnings, by file, line and column: the first 100, with equal problems of a column as one; or, with
     * `listAll`, up to 10,000 of each. Problems of files outside the list come first, the others in its order.
     */
    summarize(files: readonly string[]) {
      const placeOf = ({ file }: Problem) => files.indexOf(isMarkdownPath(file) ? MARKDOWN_FILES : file);
      const byLocation = (a: Problem, b: Problem) =>
        Number(isUrgent(b)) - Number(isUrgent(a)) ||
        placeOf(a) - placeOf(b) ||
        byName(a, b) ||
        (a.line ?? a.row ?? 0) - (b.line ?? b.row ?? 0) ||
        (a.column ?? 0) - (b.column ?? 0);
      const sorted = (found: Map<string, Group>) => Array.from(found.values(), problemOf).sort(byLocation);
      const problems = [...sorted(groups.errors), ...sorted(groups.warnings)];
      const { errors, warnings } = counts;
      return {
        problems: listAll ? problems : problems.slice(0, MAX_SHOWN),
        errors: wasServed ? 0 : errors,
        warnings: wasServed ? errors + warnings : warnings,
      };
    },
  };
}

function problemOf({ first, count, others, together }: Group): Problem {
  if (together !== undefined && count > 1)
    return { ...first, message: together, count, files: [first, ...others].map(({ file }) => file) };
  const [last] = others.slice(-1).map(locate);
  if (!last) return first;
  const cells = [first, ...others.map(locate)].map(formatCell).filter(cell => cell !== undefined);
  return { ...first, count, last, ...(cells.length === count && { cells }) };
}

/** Whether visitors may see a wrong price or size: these warnings come first. */
function isUrgent({ code, heading = '' }: Problem): boolean {
  return code === 'SHOWN_OTHERWISE' && ['price', 'cpu', 'memory'].includes(heading);
}

/** Sorts Markdown files by name, `9-a.md` before `10-b.md`; keeps the order of others. */
function byName({ file: a }: Problem, { file: b }: Problem): number {
  return isMarkdownPath(a) && isMarkdownPath(b) ? a.localeCompare(b, 'en', { numeric: true }) : 0;
}

function locate(place: Place): SourceLocation {
  const location = 'locate' in place ? place.locate() : place;
  const { heading } = location;
  return heading === undefined ? location : { ...location, heading: printable(heading, MAX_HEADING) };
}

/**
 * Formats `FILE:LINE:COLUMN: error CODE E17, message`, or `row 17: message`, on one printable line. Several cells follow as
 * `(221 cells, E2 to E248)`; a few as `(2 cells: E2, E17)`.
 */
export function formatProblem(problem: Problem): string {
  const { sheet, cell, row, severity, code, message } = problem;
  const cellPlace = cell === undefined ? row && `row ${row}: ` : `${cell}, `;
  const place = sheet === undefined ? cellPlace : undefined;
  const text = `${formatLocation(problem)}: ${severity} ${code} ${place ?? ''}${message}`;
  return printable(text) + formatExtent(problem);
}

function formatExtent({ count, last, cells, files, ...first }: Problem): string {
  const more = files && files.length > MAX_CELLS ? ', …' : '';
  if (files) return ` (${count} files: ${printable(files.slice(0, MAX_CELLS).join(', '))}${more})`;
  if (count === undefined || !last) return '';
  const cell = formatCell(last);
  if (cell === undefined) return ` (${count} times, last at ${formatLocation(last)})`;
  const range = cells ? `: ${cells.join(', ')}` : `, ${formatCell(first)} to ${cell}`;
  return ` (${count} ${last.cell ? 'cells' : 'rows'}${range})`;
}
