import type { BaseLogger } from 'pino';
import { catalogNames, catalogs } from '../contract/columns.ts';
import { isError } from '../contract/problems.ts';
import type { LiveCatalog } from '../live/live.ts';
import { formatHolds, formatProblems, howToConfirm, newChanges } from '../live/report.ts';
import type { CatalogStatus, OnStatus, StatusEvent } from '../live/status.ts';
import { type Log, plural, printable } from '../messages.ts';
import { formatProgress } from '../reader/protocol.ts';
import type { SetReport } from '../reader/read-set.ts';
import { type Settings, settings as table } from '../settings/settings.ts';
import { commandLineFor, commandName, wordOf } from './command-name.ts';
import { clock } from './terminal.ts';

/** The next step after errors. */
const CORRECT = 'correct the files: they are loaded as soon as you save them';

/** The next step in a clone, which serves the sample at first. */
const AFTER_SAMPLE = `for a catalog of your own, run '${commandName} template shop/catalog'`;

/** What people at a terminal see of the catalogs, instead of the log of the events. */
interface TerminalReport {
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
    // There are no files yet.
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
    if (outcome !== 'loaded' || report.changes?.from !== undefined) return undefined;
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

/** An event of the catalogs as people read it: its line, and further ones with the next step. */
type StatusLines = [level: keyof Log, message: string, ...details: string[]];

type Dirs = Pick<Settings, 'catalogDir' | 'stateDir'>;

/** Describes each event of the service with these directories. */
const statusLines: Record<StatusEvent, (status: CatalogStatus, dirs: Dirs) => StatusLines> = {
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
function problemLines(report: SetReport): string[] {
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
