import { isError } from '../contract/problems.ts';
import { formatHolds, formatProblems, howToConfirm, newChanges } from '../live/report.ts';
import type { CatalogStatus, StatusEvent } from '../live/status.ts';
import { type Log, plural } from '../messages.ts';
import type { SetReport } from '../reader/read-directory.ts';
import type { Settings } from '../settings/settings.ts';
import { commandLineFor } from './command-name.ts';
import { clock } from './terminal.ts';

/** An event of the catalogs as people read it: its line, and further ones with the next step. */
export type StatusLines = [level: keyof Log, message: string, ...details: string[]];

type Dirs = Pick<Settings, 'catalogDir' | 'stateDir'>;

/** Describes each event of the service with these directories. */
export const statusLines: Record<StatusEvent, (status: CatalogStatus, dirs: Dirs) => StatusLines> = {
  loaded: ({ served }) => ['info', `loaded ${versionOf(served)}${contentOf(served?.report)}`],
  unchanged: () => ['info', 'nothing changed: the files hold what is served'],
  pending: ({ attempt }) => ['warn', `${errorsOf(attempt)}; waiting 10 s for the rest of them`],
  failed: ({ attempt, served }) => ['error', `${errorsOf(attempt)}; ${stays(served)}`],
  held: ({ held, served }, dirs) => [
    'warn',
    `held back${contentOf(held?.report)}; ${stays(served)}`,
    ...(held
      ? [...formatHolds(held.report), howToConfirm(held, commandLineFor(`publish ${held.version}`, dirs))]
      : []),
  ],
  rolledBack: ({ served }) => ['info', `rolled back to ${versionOf(served)}${contentOf(served?.report)}`],
  pinned: ({ pinned, served }, dirs) =>
    pinned?.fault === undefined
      ? [
          'info',
          `${versionOf(served)} is pinned: changed files wait until you run '${commandLineFor('unpin', dirs)}'`,
        ]
      : [
          'error',
          `version ${pinned.version} is pinned, but cannot be served: ${pinned.fault}; ${stays(served)}`,
        ],
  unpinned: () => ['info', 'not pinned any more: changed files are loaded again'],
};

type Served = CatalogStatus['served'];

function versionOf(served: Served): string {
  return `version ${served?.snapshot.version}`;
}

function errorsOf(attempt: CatalogStatus['attempt']): string {
  return `the files have ${plural(attempt?.report.errors ?? 0, 'error')}`;
}

function stays(served: Served): string {
  if (!served) return 'nothing is served yet';
  return `${versionOf(served)} of ${clock(served.since * 1000, Date.now())} stays live`;
}

/** `: 3 prices changed, 1 warning`, as far as that is known; empty if there is nothing to say. */
function contentOf(report: SetReport | undefined): string {
  const warnings = report?.warnings ? [plural(report.warnings, 'warning')] : [];
  const changes = report && newChanges(report);
  const content = [...(changes === undefined ? [] : [changes]), ...warnings];
  return content.length > 0 ? `: ${content.join(', ')}` : '';
}

/** Problems with the same cause are shown up to this number. */
const MAX_OF_CODE = 3;

/**
 * The first problems of each code, and the number of the rest: errors, or warnings if there are none, since these matter
 * once the errors are corrected.
 */
export function problemLines(report: SetReport): string[] {
  const { errors } = report;
  const counts = errors > 0 ? { errors, warnings: 0 } : { errors, warnings: report.warnings };
  const found = report.problems.filter(problem => isError(problem) === errors > 0);
  const seen = new Map<string, number>();
  const problems = found.filter(({ code }) => {
    const count = 1 + (seen.get(code) ?? 0);
    seen.set(code, count);
    return count <= MAX_OF_CODE;
  });
  const lines = formatProblems({ ...report, ...counts, problems });
  return problems.length < found.length ? [...lines, 'the page shows more of them'] : lines;
}
