import type { Log } from '../messages.ts';
import { rfc3339 } from '../time-zone.ts';
import { formatHolds, formatProblems, howToConfirm, newChanges, summary } from './report.ts';
import type { CatalogStatus, OnStatus } from './status.ts';

/** Logs each event of the catalogs as one entry, with the problems of the set. */
export function logStatus(log: Log): OnStatus {
  return (event, status) => {
    const { served, attempt, pinned } = status;
    if (event === 'rolledBack' && served)
      log.info(`rolled back to ${summary(served.report, newChanges(served.report))}`);
    else if (event === 'pinned' && pinned) logPin(pinned, status, log);
    else if (event === 'unpinned') log.info('not pinned any more: changed files are loaded again');
    else if (attempt) logAttempt(attempt, status, log);
  };
}

function logPin(
  { version, fault }: NonNullable<CatalogStatus['pinned']>,
  { served }: CatalogStatus,
  log: Log,
): void {
  if (fault === undefined) log.info(`pinned to version ${version}: changed files are not loaded`);
  else log.error(`version ${version} is pinned, but cannot be served: ${fault}; ${serving(served)}`);
}

function logAttempt(
  { outcome, report }: NonNullable<CatalogStatus['attempt']>,
  { served, held }: CatalogStatus,
  log: Log,
): void {
  const problems = formatProblems(report);
  const [counts, changed] = [summary(report), summary(report, newChanges(report))];
  if (outcome === 'loaded') log.info(`catalogs loaded: ${changed}`, { problems });
  else if (outcome === 'unchanged') log.info(`catalogs unchanged: ${counts}`, { problems });
  else if (outcome === 'failed') log.error(`catalogs refused: ${counts}; ${serving(served)}`, { problems });
  else if (outcome === 'pending')
    log.warn(`catalogs refused: ${counts}; waiting 10 s for the rest of the files`, { problems });
  else if (held)
    log.warn(`catalogs held back: ${changed}; ${serving(served)}; ${howToConfirm(held)}`, {
      problems: [...formatHolds(report), ...problems],
    });
}

function serving(served: CatalogStatus['served']): string {
  return served
    ? `serving version ${served.snapshot.version}, which has been served since ${rfc3339(served.since)}`
    : 'nothing is served yet';
}
