import { formatProblems, summary } from './report.ts';
import type { SetReport } from './set.ts';
import type { Snapshot } from './snapshot.ts';

/** What becomes of the sets that are looked at, one after the other. */
export interface CatalogStatus {
  /** The set that is served, from when on (Unix seconds); undefined until there is one. */
  served: { snapshot: Snapshot; report: SetReport; since: number } | undefined;
  /** The last set that was looked at, and when (Unix seconds). */
  attempt: { outcome: Outcome; time: number; report: SetReport } | undefined;
}

/**
 * A set with an error is `pending` at first, since editors save one file after the other, and `failed` where no good
 * one has come in ten seconds. `unchanged`: the files were touched, and hold what is served.
 */
export const outcomes = ['loaded', 'unchanged', 'pending', 'failed'] as const;
export type Outcome = (typeof outcomes)[number];

/** Where outcomes are logged, a line each. */
export interface Log {
  info(details: object, message: string): void;
  warn(details: object, message: string): void;
  error(details: object, message: string): void;
}

const PENDING_MS = 10_000;

/** Keeps the status and logs every change of it. */
export interface StatusKeeper {
  status(): CatalogStatus;
  loaded(report: SetReport, snapshot: Snapshot): void;
  unchanged(): void;
  refused(report: SetReport): void;
  close(): void;
}

export function openStatus(log: Log): StatusKeeper {
  let status: CatalogStatus = { served: undefined, attempt: undefined };
  let patience: NodeJS.Timeout | undefined;

  const conclude = (outcome: Outcome, report: SetReport) => {
    status = { ...status, attempt: { outcome, time: now(), report } };
  };
  const fail = (report: SetReport) => {
    conclude('failed', report);
    const served = status.served
      ? `version ${status.served.snapshot.version} stays`
      : 'nothing is served yet';
    log.error({ problems: formatProblems(report) }, `catalogs refused: ${summary(report)}; ${served}`);
  };
  const recover = () => {
    clearTimeout(patience);
    patience = undefined;
  };
  return {
    status: () => status,
    loaded(report, snapshot) {
      recover();
      status = { ...status, served: { snapshot, report, since: now() } };
      conclude('loaded', report);
      log.info({ problems: formatProblems(report) }, `catalogs loaded: ${summary(report)}`);
    },
    unchanged() {
      if (!status.served) return;
      recover();
      conclude('unchanged', status.served.report);
      log.info({}, `catalogs unchanged: version ${status.served.snapshot.version}`);
    },
    refused(report) {
      if (status.attempt?.outcome === 'failed') return fail(report);
      conclude('pending', report);
      log.warn(
        { problems: formatProblems(report) },
        `catalogs refused: ${summary(report)}; waiting for the rest of them`,
      );
      patience ??= setTimeout(() => status.attempt && fail(status.attempt.report), PENDING_MS).unref();
    },
    close: recover,
  };
}

function now(): number {
  return Math.floor(Date.now() / 1000);
}
