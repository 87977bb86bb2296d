import type { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { CheckOutcome } from '../contract/check.ts';
import { historyPath } from '../history/entries.ts';
import { reasonOf } from '../messages.ts';
import type { Expectation } from '../reader/changed-set.ts';
import type { CatalogSource, SetReport } from '../reader/read-set.ts';
import { openReaderProcess } from '../reader/reader-process.ts';
import type { ChangeTable } from '../set/compare/changes.ts';
import { openColumns, type SnapshotChunk } from '../snapshot/chunks.ts';
import { readControls, whyUnconfirmed } from './control.ts';
import type { LiveCatalog } from './live.ts';
import { beforeOf } from './live-history.ts';
import { failedReport, resultMb } from './load.ts';

/** What would happen if files were saved. */
export interface Check {
  outcome: CheckOutcome;
  report: SetReport;
  /** What the set would change for visitors; undefined if that is nothing, or not known. */
  changes: ChangeTable | undefined;
}

/** Files are being read that were saved: what is served, or what lies in the folder, becomes another set. */
export class OvertakenError extends Error {}

/** What was sent is not a form with files. */
export class NoFilesError extends Error {}

/** Where the files lie, how to read them, and what is served. */
export interface CheckOptions {
  source: CatalogSource;
  catalog: Pick<LiveCatalog, 'snapshot' | 'status'>;
  holdBack: 'on' | 'off';
}

/** How often a check looks whether something was saved, in milliseconds. */
const LOOK_MS = 50;

/**
 * What would happen if the files of a form were saved in the catalog folder, in place of their namesakes. A process of its own
 * reads the form and the set, as it would read a save, and stores nothing. It gives way to one, which needs the memory.
 * @throws OvertakenError, NoFilesError, or the reason of `closed`, which also ends a form that does not arrive.
 */
export async function checkFiles(
  { source, catalog, holdBack }: CheckOptions,
  form: Readable,
  contentType: string,
  closed: AbortSignal,
): Promise<Check> {
  const { served, pinned, keptIn } = catalog.status();
  const ending = new AbortController();
  const signal = AbortSignal.any([closed, ending.signal]);
  const look = () => {
    const isOther = catalog.snapshot() !== served?.snapshot;
    if (isOther || catalog.status().loading) ending.abort(new OvertakenError('a save is being read'));
  };
  look();
  signal.throwIfAborted();
  const timer = setInterval(look, LOOK_MS);
  const reader = openReaderProcess(source, undefined, 'pipe');
  const columns = openColumns<ChangeTable>();
  const add = (chunk: SnapshotChunk) => {
    if (chunk.catalog === 'changes') columns.add(chunk);
  };
  // What a save of them would be compared with, once they have lain still for as long as it takes.
  const expected: Expectation = {
    ...{ fingerprint: '', stillMs: Number.POSITIVE_INFINITY, isBeingWritten: false },
    ...{ before: beforeOf(keptIn, served?.report, undefined), holdBack: holdBack === 'on' },
  };
  const request = { task: 'check', source, expected, contentType, resultMb: resultMb(source) } as const;
  try {
    // A child that has ended takes nothing more, and `read` knows why.
    if (reader.input) pipeline(form, reader.input).catch(() => {});
    const result = await reader.ask(request, undefined, add, signal).catch(error => {
      signal.throwIfAborted();
      return { outcome: 'read', report: failedReport(source, reasonOf(error)) } as const;
    });
    look();
    signal.throwIfAborted();
    if (result.outcome === 'nothing') throw new NoFilesError('there are no files');
    const report = 'report' in result ? result.report : served?.report;
    if (!report) throw new Error(`a check has no report: ${result.outcome}`);
    const { publish } = await readControls(historyPath(source.stateDir), source.catalogDir);
    const isDrastic = served && (report.holds ?? []).length > 0;
    const isHeld = isDrastic && whyUnconfirmed(publish, String(report.version)) !== undefined;
    const isNew = result.outcome === 'read';
    const outcome =
      report.version === undefined ? 'failed' : !isNew ? 'unchanged' : isHeld ? 'held' : 'loaded';
    const changes = columns.table();
    return { outcome: pinned ? 'pinned' : outcome, report, changes: 'head' in changes ? changes : undefined };
  } finally {
    clearInterval(timer);
    reader.close();
  }
}
