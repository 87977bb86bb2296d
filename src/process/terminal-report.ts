import type { BaseLogger } from 'pino';
import { catalogNames, catalogs } from '../contract/columns.ts';
import type { LiveCatalog } from '../live/live.ts';
import type { CatalogStatus, OnStatus } from '../live/status.ts';
import { type Log, plural, printable } from '../messages.ts';
import { formatProgress } from '../reader/progress.ts';
import type { SetReport } from '../reader/read-directory.ts';
import { type Settings, settings as table } from '../settings/settings.ts';
import { commandName, wordOf } from './command-name.ts';
import { problemLines, statusLines } from './status-lines.ts';
import { clock } from './terminal.ts';

/** The next step after errors. */
const CORRECT = 'correct the files: they are loaded as soon as you save them';

/** The next step in a clone, which serves the sample at first. */
const AFTER_SAMPLE = `for a catalog of your own, run '${commandName} template shop/catalog'`;

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
  const { catalogDir } = settings;
  const isSample = commandName === 'npm start --' && catalogDir === table.catalogDir.default;
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
    const [level, message, ...details] = statusLines[event](status, settings);
    log[level]({ details: [...details, ...problems] }, printable(message));
  };
  /** The last lines of the start; undefined if an event says more. */
  const outcomeLines = ({ served, attempt, pinned }: CatalogStatus) => {
    if (!attempt || pinned) return undefined;
    const { outcome, report } = attempt;
    if (!served)
      return newProblems(
        report,
        `for files to begin with, run '${commandName} template ${wordOf(catalogDir)}'`,
      );
    if (outcome !== 'loaded' || report.changes?.isNew) return undefined;
    if (report.warnings === 0)
      return [
        `no problems; changes in ${printable(catalogDir)} go live as you save them`,
        ...(isSample ? [AFTER_SAMPLE] : []),
      ];
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

/** Interval of progress lines, in milliseconds. */
const PROGRESS_MS = 200;

type InfoLog = Pick<BaseLogger, 'info'>;

/** Shows how far the first set is read. Call the returned function to stop, which erases it. */
export function showProgress({ status }: LiveCatalog, log: InfoLog): () => void {
  let shown = '';
  const show = (text: string) => {
    if (text !== shown) log.info({ isProgress: true }, text);
    shown = text;
  };
  const timer = setInterval(() => {
    const { loading } = status();
    if (loading) show(`reading the catalogs: ${formatProgress(loading)}`);
  }, PROGRESS_MS);
  return () => {
    clearInterval(timer);
    show('');
  };
}

/** What is served, from which directory and since when; then a line for how much that is, and one for each address. */
function startLines(
  { served }: CatalogStatus,
  address: string,
  { catalogDir, basePath }: Pick<Settings, 'catalogDir' | 'basePath'>,
): [message: string, ...details: string[]] {
  const files = served?.report.files ?? [];
  const list = files.some(({ catalog }) => catalog === 'products') ? 'products' : 'news';
  return [
    served
      ? `serving ${catalogDir}, version ${served.snapshot.version} since ${clock(served.since * 1000, Date.now())}`
      : `nothing to serve yet: waiting for catalogs in ${catalogDir}`,
    ...(served ? [countsOf(files)] : []),
    `page  ${address}${basePath}/`,
    `API   ${address}${basePath}/api/${list}`,
    `docs  ${address}${basePath}/docs`,
  ];
}

/** `5 products, 1,928 prices` */
function countsOf(files: SetReport['files']): string {
  const counts = catalogNames.flatMap(name => {
    const ofCatalog = files.filter(({ catalog }) => catalog === name);
    if (ofCatalog.length === 0) return [];
    const rows = ofCatalog.reduce((sum, file) => sum + file.rows, 0);
    return [`${rows.toLocaleString('en')} ${catalogs[name].noun}${rows === 1 ? '' : 's'}`];
  });
  return counts.join(', ');
}
