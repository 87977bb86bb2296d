import { basename } from 'node:path';
import { MARKDOWN_FILES } from '../contract/catalog-files.ts';
import { MAX_MESSAGE } from '../contract/health.ts';
import { formatFile, type Problem, type SourceLocation } from '../contract/problems.ts';
import { delimiters } from '../formats/csv.ts';
import type { LoadedFile } from '../formats/table.ts';
import { plural, printable } from '../messages.ts';
import type { SetReport } from '../reader/read-set.ts';
import type { Progress } from '../reader/reader-process.ts';
import { formatProblem } from '../set/collect-problems.ts';

/** A set has errors, or is held back. The message has a line for each problem, then a summary. */
export class CatalogError extends Error {
  override readonly name = 'CatalogError';
  /** The first 100 problems, as `vitrine check --json` prints them. */
  readonly problems: readonly Problem[];

  constructor(report: SetReport) {
    super([...formatHolds(report), ...formatProblems(report), verdict(report)].join('\n'));
    this.problems = report.problems.map(problemReport);
  }
}

/** Formats the output of `vitrine check`: a line for each file and each problem, then a summary. */
export function formatReport(report: SetReport): string {
  return [...formatFiles(report.files), ...formatProblems(report), verdict(report)].join('\n');
}

export function formatProblems({ problems, errors, warnings }: SetReport): string[] {
  const more = errors + warnings - problems.reduce((sum, { count = 1 }) => sum + count, 0);
  return [...problems.map(formatProblem), ...(more > 0 ? [`and ${plural(more, 'more problem')}`] : [])];
}

export function formatHolds({ holds = [] }: SetReport): string[] {
  return holds.map(({ code, message }) => `${code} ${printable(message)}`);
}

export function howToConfirm({ version }: { version: string }): string {
  return `to let it go live, write ${version} into a file named publish beside the catalogs, or run 'vitrine publish ${version}'`;
}

export function jsonReport({ version, files, problems: found, errors, warnings }: SetReport) {
  return {
    ok: version !== undefined,
    version: version ?? null,
    files: files.map(({ catalog, file, rows, encoding, sheet, delimiter, decimal }) => ({
      ...{ catalog, file, rows, encoding },
      ...(sheet !== undefined && { sheet: printable(sheet) }),
      ...(delimiter && { delimiter }),
      ...(decimal && { decimal }),
    })),
    problems: found.map(problemReport),
    errors,
    warnings,
  };
}

function problemReport(problem: Problem): Problem {
  const { severity, code, message, also, count, last, cells, files, ...location } = problem;
  return {
    severity,
    code,
    ...locationReport(location),
    message: printable(message),
    ...(also && { also: locationReport(also) }),
    ...(count && { count }),
    ...(last && { last: locationReport(last) }),
    ...(cells && { cells }),
    ...(files && { files: files.map(file => printable(file)) }),
  };
}

function locationReport({ file, sheet, heading, ...others }: SourceLocation): SourceLocation {
  return {
    file: printable(file),
    ...(sheet !== undefined && { sheet: printable(sheet) }),
    ...others,
    ...(heading && { heading }),
  };
}

/** Returns the problems in a bounded size and without directories of the machine. */
export function problemsOf(report: SetReport) {
  const { errors, warnings, problems } = jsonReport(report);
  const shown = problems.map(problem => {
    const { code, file, message, files } = problem;
    const isOfDirectory = code === 'NO_DIRECTORY' || (code === 'MISSING_FILE' && file !== MARKDOWN_FILES);
    const listed = files && { files: files.slice(0, 100) };
    return { ...problem, ...listed, file: isOfDirectory ? basename(file) : file, message: shorten(message) };
  });
  return { errors, warnings, problems: shown };
}

export function holdReasons({ holds = [] }: SetReport) {
  return holds.map(({ code, message }) => ({ code, message: shorten(message) }));
}

/** Shortens a message to `MAX_MESSAGE` characters and `…`. */
export function shorten(text: string): string {
  const message = printable(text);
  return message.length > MAX_MESSAGE ? `${message.slice(0, MAX_MESSAGE).toWellFormed()}…` : message;
}

/** Formats the version and the changes of a set without errors, then the numbers of problems, files and rows. */
export function summary({ version, files, errors, warnings }: SetReport, changes?: string): string {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const counts = `${plural(errors, 'error')}, ${plural(warnings, 'warning')} in ${plural(files.length, 'file')} with ${plural(rows, 'row')}`;
  if (version === undefined) return counts;
  return `version ${version}${changes === undefined ? '' : ` (${changes})`}, ${counts}`;
}

/** Summarises what a new set changes, such as `3 prices changed`, with future prices if `withComing`. */
export function newChanges({ changes }: SetReport, withComing = true): string | undefined {
  if (changes?.from === undefined) return undefined;
  return withComing ? changes.summary : changes.seen;
}

function verdict(report: SetReport): string {
  if (report.version === undefined) return `refused: ${summary(report)}`;
  return `${report.holds?.length ? 'held back' : 'ok'}: ${summary(report)}`;
}

function formatFiles(files: readonly LoadedFile[]): string[] {
  const nameOf = (file: LoadedFile) => printable(formatFile(file));
  const width = Math.max(...files.map(file => nameOf(file).length));
  const digits = Math.max(...files.map(({ rows }) => String(rows).length));
  const noun = (rows: number) => (rows === 1 ? 'row ' : 'rows');
  return files.map(file => {
    const { rows, sheet, encoding, delimiter, decimal } = file;
    const kind = sheet === undefined ? encoding : 'workbook';
    const format = [
      file.file === MARKDOWN_FILES ? 'Markdown' : kind,
      ...(delimiter ? [`${delimiters.get(delimiter)}s`] : []),
      ...(decimal ? ['decimal commas'] : []),
    ];
    return `${nameOf(file).padEnd(width)}  ${String(rows).padStart(digits)} ${noun(rows)}  ${format.join(', ')}`;
  });
}

/** `60 %, 40,000 rows` */
export function formatProgress({ rows, percent, stalledSeconds }: Progress): string {
  const done = `${percent} %, ${rows.toLocaleString('en')} ${rows === 1 ? 'row' : 'rows'}`;
  return stalledSeconds === undefined ? done : `${done}, no progress for ${stalledSeconds} s`;
}
