import { catalogNames } from '../../contract/columns.ts';
import type { Reading } from '../../history/entry.ts';
import { formatReport, jsonReport } from '../../live/report.ts';
import { type OnRow, type ReadSet, readSet } from '../../reader/read-set.ts';
import { type ChangeTable, openPublicReport } from '../../set/compare/changes.ts';
import { compareListed, listedRows } from '../../set/compare/listed.ts';
import { openSnapshotBuilder } from '../../snapshot/builder.ts';
import { chunksOf, tabulate } from '../../snapshot/chunks.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { openTimeZone } from '../../time-zone.ts';
import { droppedDirectory } from './dropped-files.ts';
import type { CheckOptions, CheckReport, DroppedFile } from './protocol.ts';
import { askService, type Service } from './service.ts';

/** How a service reads files unless its settings say otherwise. */
const DEFAULTS: Reading = { csvEncoding: 'utf-8', csvDecimal: '.', timeZone: 'UTC', markdownHtml: false };

/** A set that was checked, and its snapshot if it has no errors. */
export interface CheckedSet {
  report: CheckReport;
  snapshot: Snapshot | undefined;
}

/** Checks dropped files. @throws Error if the service cannot be asked. */
export async function checkFiles(
  files: readonly DroppedFile[],
  { against, reading }: CheckOptions,
  onRow: OnRow,
): Promise<CheckedSet> {
  const service = against === undefined ? undefined : await askService(against);
  const readAs = { ...(service?.reading ?? DEFAULTS), ...reading };
  const options = { served: service?.catalogs, onRow };
  const set = await readSet(droppedDirectory(files), readAs, options);
  const { content } = set;
  const report = reportOf(set, service);
  // All listed rows are seen by visitors.
  const changes = openPublicReport();
  if (service && content) {
    const rows = listedRows(content, Date.now() / 1000);
    report.against = { version: service.version, ...compareListed(service.rows, rows, false, [changes]) };
  }
  const table = changes.table({ from: service?.version ?? null, to: null, time: null });
  return { report, snapshot: await snapshotOf(set, readAs, table) };
}

function reportOf({ report }: ReadSet, service: Service | undefined): CheckReport {
  const dropped = new Set(report.files.map(({ catalog }) => catalog));
  const fromService = catalogNames.filter(name => service?.catalogs[name] && !dropped.has(name));
  const [text, json] = [formatReport(report), jsonReport(report)];
  const isWhole = fromService.length === 0;
  return {
    ok: json.ok,
    // The version of a set of which only a part is known would not be the one that it gets.
    text: isWhole ? text : text.replace(/version \w+, (?=.*$)/, ''),
    json: isWhole ? json : { ...json, version: null },
    fromService,
  };
}

/** The snapshot as the service would build it, with what it changes. */
async function snapshotOf(
  { report, rows, sources }: ReadSet,
  { timeZone }: Reading,
  changes: ChangeTable,
): Promise<Snapshot | undefined> {
  if (!rows || !sources || report.version === undefined) return undefined;
  const nothing = async () => {};
  const builder = openSnapshotBuilder(timeZone);
  const tables = await tabulate(rows, openTimeZone(timeZone), nothing);
  for await (const chunk of chunksOf(tables, { changes, sources }, nothing)) builder.add(chunk);
  return builder.build(report.version);
}
