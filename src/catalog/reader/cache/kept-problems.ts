import type { Place, ProblemCode, Reporter, SourceLocation } from '../../../contract/problems.ts';

/** A problem of a file, which is a warning. */
export interface KeptProblem extends Pick<SourceLocation, 'file' | 'heading'> {
  /** The index of its row. */
  row?: number | undefined;
  /** Undefined if nobody has asked for it. */
  location?: SourceLocation | undefined;
  code: ProblemCode;
  message: string;
  also?: SourceLocation | undefined;
}

/** A problem, and the row that it is in. */
export interface SeenProblem extends KeptProblem {
  raw?: object | undefined;
}

/** Sees the problems of a file on their way to `report`, and where they are found to be. */
export function watchProblems(report: Reporter): { report: Reporter; seen: SeenProblem[] } {
  const seen: SeenProblem[] = [];
  const watch = (place: Place, code: ProblemCode, message: string, also?: SourceLocation) => {
    const { file, heading } = place;
    const problem: SeenProblem = { file, ...(heading !== undefined && { heading }), code, message, also };
    seen.push(problem);
    if ('locate' in place) {
      problem.raw = place.row;
      const locate = () => {
        problem.location = place.locate();
        return problem.location;
      };
      report({ ...place, locate }, code, message, also);
    } else {
      problem.location = place;
      report(place, code, message, also);
    }
  };
  return { report: watch, seen };
}

/** The problems of a file with these rows. Call this once they are located. */
export function keptProblems(seen: readonly SeenProblem[], rows: readonly object[]): KeptProblem[] {
  const indexes = new Map(seen.length > 0 ? rows.map((raw, index) => [raw, index]) : []);
  return seen.map(({ raw, ...problem }) => ({ ...problem, row: raw && indexes.get(raw) }));
}

/** Reports the problems of a file again, which has these rows. */
export function reportAgain(
  problems: readonly KeptProblem[],
  rows: readonly object[],
  report: Reporter,
): void {
  for (const { file, heading, row, location, code, message, also } of problems) {
    const raw = row === undefined ? undefined : rows[row];
    const place = { file, ...(heading !== undefined && { heading }), ...(raw && { row: raw }) };
    report({ ...place, locate: () => location ?? { file } }, code, message, also);
  }
}
