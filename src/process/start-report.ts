import type { BaseLogger } from 'pino';
import type { LiveCatalog } from '../catalog/live.ts';
import type { SetReport } from '../catalog/reader/load-set.ts';
import { formatProgress } from '../catalog/reader/progress.ts';
import type { CatalogStatus } from '../catalog/status.ts';
import { catalogNames, catalogs } from '../contract/columns.ts';
import type { Settings } from '../settings/settings.ts';
import { clock } from './terminal.ts';

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
export function startLines(
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
