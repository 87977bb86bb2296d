import type { BaseLogger } from 'pino';
import type { LiveCatalog } from '../catalog/live.ts';
import type { SetReport } from '../catalog/reader/load-set.ts';
import { formatProgress } from '../catalog/reader/progress.ts';
import type { Settings } from '../settings/settings.ts';

/** Interval of progress lines, in milliseconds. */
const PROGRESS_MS = 200;

type InfoLog = Pick<BaseLogger, 'info'>;

/** Logs how far the first set is read. Call the returned function to stop. */
export function showProgress({ status }: LiveCatalog, log: InfoLog): () => void {
  let shown = '';
  const show = () => {
    const { loading } = status();
    const text = loading && formatProgress(loading);
    if (!text || text === shown) return;
    shown = text;
    log.info({ isProgress: true }, `loading... ${text}`);
  };
  const timer = setInterval(show, PROGRESS_MS);
  return () => clearInterval(timer);
}

/** Logs what is served, and at which addresses. */
export function showStart(
  report: SetReport | undefined,
  address: string,
  { catalogDir, basePath }: Pick<Settings, 'catalogDir' | 'basePath'>,
  log: InfoLog,
): void {
  if (report) {
    log.info(`serving ${catalogDir}`);
    for (const line of rowLines(report)) log.info(`  ${line}`);
  }
  log.info(`API   ${address}${basePath}/api`);
  log.info(`page  ${address}${basePath}/`);
  log.info(`docs  ${address}${basePath}/docs`);
}

/** `prices  1,928 rows` for each catalog, in columns. */
function rowLines({ files }: SetReport): string[] {
  const counts = files.map(({ rows }) => rows.toLocaleString('en'));
  const width = Math.max(...files.map(({ catalog }) => catalog.length));
  const digits = Math.max(...counts.map(count => count.length));
  return files.map(
    ({ catalog, rows }, index) =>
      `${catalog.padEnd(width)}  ${counts[index]?.padStart(digits)} ${rows === 1 ? 'row' : 'rows'}`,
  );
}
