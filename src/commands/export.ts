import { type ExportedSet, type ExportOptions, type ExportSummary, exportSet } from '../export/export-set.ts';
import { loadCatalog } from '../live/load.ts';
import { formatReport } from '../live/report.ts';
import { excerpt, plural, printable } from '../messages.ts';
import { openLogger } from '../process/logger.ts';
import { openProgressLine } from '../process/progress-line.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { warn } from '../process/warn.ts';
import { formatProgress } from '../reader/progress.ts';
import { storedCounts } from '../reads/import-export.ts';
import type { Settings } from '../settings/settings.ts';
import { openTimeZone } from '../time-zone.ts';
import { writeExportFolder } from './folders/export-folder.ts';

/**
 * `vitrine export DIR`: writes every finite answer of the API into a folder, for a static host. A set with errors is
 * reported as by `vitrine check`, and not exported.
 * @throws Error if the folder has other files or cannot be written, or a signal stops the export.
 */
export async function exportTo(dir: string, settings: Settings, singlePrices: boolean): Promise<void> {
  const onProgress = openProgressLine(process.stderr);
  const { report, snapshot } = await loadCatalog(settings, false, progress =>
    onProgress(`reading... ${formatProgress(progress)}`),
  );
  onProgress('');
  if (!snapshot) {
    process.stdout.write(`${formatReport(report)}\n`);
    process.exitCode = 1;
    return;
  }
  if (settings.corsOrigin.length > 1)
    warn('CORS_ORIGIN: a static host cannot choose one of several origins: _headers allows none of them');
  const counts = await storedCounts(settings).catch(error => {
    warn(`the export has the read counts of the catalogs alone: ${error.message}`);
    return new Map<number, number>();
  });
  const set: ExportedSet = { report, snapshot, counts, instant: Math.floor(Date.now() / 1000) };
  const { until, missingImages, files, bytes } = await writeUnlessStopped(dir, set, settings, {
    singlePrices,
    onProgress: files => onProgress(`writing... ${plural(files, 'file')}`),
  });
  onProgress('');
  if (missingImages.length > 0) {
    const [first = ''] = missingImages;
    warn(`${plural(missingImages.length, 'image')} of news items not found, such as ${excerpt(first)}`);
  }
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  process.stdout.write(`${snapshot.version} → ${printable(dir)}: ${plural(files, 'file')}, ${size}\n`);
  if (until === Number.POSITIVE_INFINITY) return;
  const { timeZone } = settings;
  const time = openTimeZone(timeZone).format(until);
  process.stdout.write(`export again after ${time} (${timeZone}), when the published news change\n`);
}

/** A signal removes what is written so far. */
async function writeUnlessStopped(
  dir: string,
  set: ExportedSet,
  settings: Settings,
  options: Omit<ExportOptions, 'signal'>,
): Promise<ExportSummary> {
  const stopping = new AbortController();
  const { signal } = stopping;
  const stop = (name: string) => stopping.abort(new Error(`stopped by ${name}; ${dir} is as before`));
  const uninstall = onStopSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], stop, () => {});
  try {
    return await writeExportFolder(dir, draft =>
      exportSet(set, draft, settings, openLogger('silent'), { ...options, signal }),
    );
  } finally {
    uninstall();
  }
}
