import { delimiters } from './dialect.ts';
import { formatProblem, problems } from './problems.ts';
import type { SetReport } from './set.ts';
import type { LoadedFile } from './table.ts';

/** Says that a set has errors and cannot be served; its message tells them, a line each, and a summary. */
export class CatalogError extends Error {
  constructor(report: SetReport) {
    super([...formatProblems(report), verdict(report)].join('\n'));
  }
}

/** What was found in a set, for people: each file and each problem on a line of its own, and a summary line. */
export function formatReport(report: SetReport): string {
  return [...formatFiles(report.files), ...formatProblems(report), verdict(report)].join('\n');
}

/** A line for each problem, and one that says how many more there are. */
export function formatProblems({ problems, errors, warnings }: SetReport): string[] {
  const more = errors + warnings - problems.length;
  return [...problems.map(formatProblem), ...(more > 0 ? [`and ${plural(more, 'problem')} more`] : [])];
}

/** What was found in a set, for machines. */
export function jsonReport({ version, files, problems: found, errors, warnings }: SetReport) {
  return {
    ok: version !== undefined,
    version: version ?? null,
    files: files.map(({ lastRow, delimiter, ...file }) => ({ ...file, ...(delimiter && { delimiter }) })),
    problems: found.map(({ file, line, column, code, message, also }) => ({
      severity: problems[code].severity,
      code,
      file,
      ...(line && { line }),
      ...(column && { column }),
      message,
      ...(also && { also }),
    })),
    errors,
    warnings,
  };
}

/** How much was found, and the version where the set can be served. */
export function summary({ version, files, errors, warnings }: SetReport): string {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const counts = `${plural(errors, 'error')}, ${plural(warnings, 'warning')} in ${plural(files.length, 'file')} with ${plural(rows, 'row')}`;
  return version === undefined ? counts : `version ${version}, ${counts}`;
}

function verdict(report: SetReport): string {
  return `${report.version === undefined ? 'refused' : 'ok'}: ${summary(report)}`;
}

/** `configurations.csv  120 rows  utf-8, semicolons`, in columns. */
function formatFiles(files: readonly LoadedFile[]): string[] {
  const width = Math.max(...files.map(({ file }) => file.length));
  const digits = Math.max(...files.map(({ rows }) => String(rows).length));
  return files.map(({ file, rows, encoding, delimiter }) => {
    const form = delimiter === undefined ? encoding : `${encoding}, ${delimiters.get(delimiter)}s`;
    return `${file.padEnd(width)}  ${String(rows).padStart(digits)} rows  ${form}`;
  });
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
