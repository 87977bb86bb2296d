import type { SetReport } from '../catalog/reader/load-set.ts';
import type { CatalogStatus, OnStatus } from '../catalog/status.ts';
import { type Log, plural, printable } from '../messages.ts';
import { type Settings, settings as table } from '../settings/settings.ts';
import { startLines } from './start-report.ts';
import { problemLines, statusLines } from './status-lines.ts';

/** The next step after errors. */
const CORRECT = 'correct the files: they are loaded as soon as you save them';

/** What people at a terminal see of the catalogs, instead of the log of the events. */
export interface TerminalReport {
  /** Shows an event once the start is shown, and its problems unless they were shown last. */
  onStatus: OnStatus;
  /** Shows what is served and where, then what is wrong with the files. */
  showStart(status: CatalogStatus, addresses: readonly string[]): void;
}

export function openTerminalReport(
  settings: Settings,
  log: Record<keyof Log, (fields: object, message: string) => void>,
): TerminalReport {
  const { stateDir, catalogDir } = settings;
  const flags = stateDir === table.stateDir.default ? '' : ` --state-dir ${word(stateDir)}`;
  let isStarted = false;
  const shown = { errors: '', warnings: '' };

  /** Its problems and, after errors, the next step; empty if they were shown last. */
  const newProblems = (report: SetReport, nextStep: string) => {
    const lines = problemLines(report);
    const kind = report.errors > 0 ? 'errors' : 'warnings';
    const before = shown[kind];
    shown.errors = '';
    shown[kind] = lines.join('\n');
    if (shown[kind] === before) return [];
    return report.errors > 0 ? [...lines, nextStep] : lines;
  };
  const onStatus: OnStatus = (event, status) => {
    if (!isStarted) return;
    const { attempt, served } = status;
    const problems = attempt?.outcome === event ? newProblems(attempt.report, CORRECT) : [];
    // It still waits for the first files.
    if (event === 'failed' && !served && problems.length === 0) return;
    const [level, message, ...details] = statusLines[event](status, flags);
    log[level]({ details: [...details, ...problems] }, printable(message));
  };
  /** The last lines of the start; undefined if an event says more. */
  const outcomeLines = ({ served, attempt, pinned }: CatalogStatus) => {
    if (!attempt || pinned) return undefined;
    const { outcome, report } = attempt;
    if (!served)
      return newProblems(report, `for a workbook to fill in, run 'vitrine template ${word(catalogDir)}'`);
    if (outcome !== 'loaded' || report.changes?.isNew) return undefined;
    if (report.warnings === 0) return ['no problems'];
    return [
      `${plural(report.warnings, 'warning')}:`,
      ...newProblems(report, CORRECT).map(line => `  ${line}`),
    ];
  };
  return {
    onStatus,
    showStart(status, addresses) {
      isStarted = true;
      for (const address of addresses) log.info({ isSummary: true }, `listening on ${address}`);
      const [message, ...details] = startLines(status, addresses[0] ?? '', settings);
      const outcome = outcomeLines(status);
      log.info({ isSummary: true, details: [...details, ...(outcome ?? [])] }, message);
      const event = status.pinned ? 'pinned' : status.attempt?.outcome;
      if (!outcome && event) onStatus(event, status);
    },
  };
}

/** A path as a word of a command line. */
function word(path: string): string {
  return /^[\w./:\\-]+$/.test(path) ? path : `"${path}"`;
}
