import type { ChangeStyle } from '../catalog/changes/change.ts';
import { openChangeLines } from '../catalog/changes/change-lines.ts';
import { openChangeList } from '../catalog/changes/change-list.ts';
import { openSummary } from '../catalog/changes/summary.ts';
import { visibleRows } from '../catalog/changes/visible-rows.ts';
import { walkCatalog } from '../catalog/changes/walk.ts';
import { loadCatalog } from '../catalog/load.ts';
import { formatProgress } from '../catalog/reader/progress.ts';
import { directorySide, type Side } from '../catalog/reader/sides.ts';
import { CatalogError, formatReport, jsonReport } from '../catalog/report.ts';
import type { CatalogChanges } from '../contract/changes.ts';
import { type CatalogName, catalogNames } from '../contract/columns.ts';
import { excerpt, printable } from '../messages.ts';
import { openProgressLine } from '../process/progress-line.ts';
import { UsageError } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';
import { publicUrl } from '../settings/url-parsers.ts';
import { fetchServedRows, type ListedRow, listed, listedColumns } from './served-rows.ts';

/** How `vitrine check` writes its report, and the service to compare with. */
export interface CheckOptions {
  json: boolean;
  all: boolean;
  against: string | undefined;
}

/** `vitrine check [DIR]`. @throws Error if the service to compare with cannot be asked. */
export async function check(settings: Settings, { json, all, against }: CheckOptions): Promise<void> {
  const url = against === undefined ? undefined : serviceUrl(against);
  const showProgress = openProgressLine(process.stderr);
  const { report } = await loadCatalog(settings, all, progress =>
    showProgress(`reading... ${formatProgress(progress)}`),
  );
  showProgress('');
  if (!json) process.stdout.write(`${formatReport(report)}\n`);
  if (report.version === undefined) process.exitCode = 1;
  const isCompared = url !== undefined && report.version !== undefined;
  const difference = isCompared ? await differenceTo(url, settings, all) : undefined;
  if (json) print({ ...jsonReport(report), ...(difference && { against: difference.json }) });
  else if (difference) process.stdout.write(`\n${difference.text}`);
}

function serviceUrl(text: string): string {
  const url = text === '' ? undefined : publicUrl.parse(text);
  if (url !== undefined) return url;
  throw new UsageError(`--against: expected ${publicUrl.expected}, got ${excerpt(JSON.stringify(text))}`);
}

/** What visitors of a service would see change if it served the directory of these settings. */
async function differenceTo(url: string, settings: Settings, listAll: boolean) {
  const side = await directorySide(settings);
  if (!('read' in side)) throw new CatalogError(side);
  const served = await fetchServedRows(url);
  const rows = listed(await visible(side));
  const style: ChangeStyle = {
    has: (column, catalog) => listedColumns[catalog].includes(column),
    isPublic: false,
  };
  const [summary, lines, list] = [openSummary(), openChangeLines(listAll, style), openChangeList(style)];
  for (const catalog of catalogNames) {
    const before = { rows: served.rows[catalog], columns: [] };
    const after = { rows: rows[catalog], columns: [] };
    walkCatalog({ catalog, before, after }, [summary, lines, list]);
  }
  const { version } = served;
  const title = `${url} (${version}) → ${printable(settings.catalogDir)} (${side.version})`;
  const { changes, catalogs } = list;
  return {
    text: `${title}: ${summary.text()}\n${lines.text()}`,
    json: { url, version, summary: summary.text(), catalogs: catalogs.map(countsOf), changes },
  };
}

/** The rows of a set that visitors see now; durations only as far as prices have them. */
async function visible(side: Side): Promise<Record<CatalogName, ListedRow[]>> {
  const configurations = (await side.read('configurations'))?.rows ?? [];
  const isVisible = visibleRows(configurations, Date.now() / 1000);
  const rowsOf = async (catalog: CatalogName) => {
    const rows = (await side.read(catalog))?.rows ?? [];
    return rows.filter(row => isVisible(catalog, row));
  };
  const entries = catalogNames.map(async catalog => [catalog, await rowsOf(catalog)] as const);
  // Each catalog is one of the names.
  const rows = Object.fromEntries(await Promise.all(entries)) as Record<CatalogName, ListedRow[]>;
  const priced = new Set(rows.prices.map(({ duration_id }) => duration_id));
  return { ...rows, durations: rows.durations.filter(({ id }) => priced.has(id)) };
}

/** Lists say nothing about files. */
function countsOf({ catalog, added, removed, changed }: CatalogChanges) {
  return { catalog, added, removed, changed };
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
