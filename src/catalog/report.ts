import type { LoadResult } from './load.ts';
import { formatProblem, isError, problems } from './problems.ts';

/** Says that a set has errors and cannot be served; its message tells all of them, a line each, and a summary. */
export class CatalogError extends Error {
  constructor(result: LoadResult) {
    super(formatReport(result));
  }
}

/** What became of a set, for people: each problem on a line of its own, and a summary line. */
export function formatReport(result: LoadResult): string {
  return [...result.problems.map(formatProblem), summary(result)].join('\n');
}

/** What became of a set, for machines. */
export function jsonReport({ snapshot, files, problems: found }: LoadResult) {
  return {
    ok: snapshot !== undefined,
    version: snapshot?.version ?? null,
    files,
    problems: found.map(problem => ({ severity: problems[problem.code].severity, ...problem })),
  };
}

function summary({ snapshot, files, problems: found }: LoadResult): string {
  const errors = found.filter(isError).length;
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  const counts = `${plural(errors, 'error')}, ${plural(found.length - errors, 'warning')} in ${plural(files.length, 'file')} with ${plural(rows, 'row')}`;
  return snapshot ? `ok: version ${snapshot.version}, ${counts}` : `refused: ${counts}`;
}

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}
