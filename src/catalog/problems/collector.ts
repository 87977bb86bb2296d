import { isError, type Problem, type Reporter } from './problems.ts';

/** Nobody reads more problems than this. */
const MAX_SHOWN = 100;
/** Reading stops at this many errors. Warnings beyond it are counted, but not kept. */
const MAX_KEPT = 10_000;

/** The problems of a set. */
export interface ProblemSummary {
  /** The first 100 problems, errors before warnings, sorted by file, line and column. */
  problems: Problem[];
  /** How many errors and warnings there are in total. */
  errors: number;
  warnings: number;
}

/** Ends the reading of a set that has more errors than anyone corrects one by one. */
export class TooManyErrors extends Error {}

/** Collects the problems of a set while it is read. */
export function collectProblems() {
  const kept = { errors: [] as Problem[], warnings: [] as Problem[] };
  const counts = { errors: 0, warnings: 0 };
  const report: Reporter = (location, code, message, also) => {
    const isFatal = isError({ code });
    const severity = isFatal ? 'errors' : 'warnings';
    counts[severity] += 1;
    if (counts[severity] > MAX_KEPT) return;
    const found = typeof location === 'function' ? location() : location;
    kept[severity].push({ ...found, code, message, ...(also && { also }) });
    if (isFatal && counts.errors === MAX_KEPT) throw new TooManyErrors();
  };
  return {
    report,
    hasErrors: () => counts.errors > 0,
    /** Problems of files that are not in the list come first, the others in its order. */
    summarize(files: readonly string[]): ProblemSummary {
      const byLocation = (a: Problem, b: Problem) =>
        files.indexOf(a.file) - files.indexOf(b.file) ||
        (a.line ?? 0) - (b.line ?? 0) ||
        (a.column ?? 0) - (b.column ?? 0);
      const problems = [...kept.errors.sort(byLocation), ...kept.warnings.sort(byLocation)];
      return { problems: problems.slice(0, MAX_SHOWN).sort(byLocation), ...counts };
    },
  };
}
