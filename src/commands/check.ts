import { loadCatalog } from '../live/load.ts';
import { CatalogError, formatReport, jsonReport } from '../live/report.ts';
import { excerpt, printable } from '../messages.ts';
import { openProgressLine } from '../process/terminal.ts';
import { formatProgress } from '../reader/progress.ts';
import { readSet } from '../reader/read-set.ts';
import { fetchServedRows } from '../served-rows.ts';
import { compareListed, listedRows } from '../set/compare/listed.ts';
import { systemDirectory } from '../set/system-directory.ts';
import { UsageError } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';
import { publicUrl } from '../settings/url-parsers.ts';

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
  const { report, content } = await readSet(systemDirectory(settings), settings);
  if (!content) throw new CatalogError(report);
  const served = await fetchServedRows(url);
  const difference = compareListed(served.rows, listedRows(content, Date.now() / 1000), listAll);
  const { version } = served;
  const { summary, lines, catalogs, changes } = difference;
  const title = `${url} (${version}) → ${printable(settings.catalogDir)} (${report.version})`;
  return {
    text: `${title}: ${summary}\n${lines}`,
    json: { url, version, summary, catalogs, changes },
  };
}

function print(value: object): void {
  process.stdout.write(`${JSON.stringify(value, null, 2)}\n`);
}
