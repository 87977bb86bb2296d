import { randomUUID } from 'node:crypto';
import { renameSync } from 'node:fs';
import { readdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { exportSet } from '../export/export-set.ts';
import { createDirectories, errorCode, unlessMissing } from '../files/atomic-write.ts';
import { loadCatalog } from '../live/readers.ts';
import { formatProgress, formatReport } from '../live/report.ts';
import { excerpt, plural, printable, reasonOf } from '../messages.ts';
import { onStopSignal } from '../process/stop-signals.ts';
import { openLogger } from '../process/terminal.ts';
import { storedCounts } from '../reads/import-export.ts';
import { openTimeZone } from '../time-zone.ts';
import type { Call } from './call.ts';
import { DRAFT, withDraft } from './new-folder.ts';

/**
 * `vitrine export DIR`: writes every finite answer of the API into a folder, for a static host. If the set has errors,
 * reports them as `vitrine check` does, and writes nothing.
 * @throws Error if the folder has other files or cannot be written, or a signal stops the export.
 */
export async function exportTo(call: Call, dir: string): Promise<void> {
  const { flags, print, warn, showProgress } = call;
  const settings = call.settings();
  const { report, snapshot } = await loadCatalog(settings, false, progress =>
    showProgress(`reading... ${formatProgress(progress)}`),
  );
  if (!snapshot) {
    call.fail();
    return print(`${formatReport(report)}\n`);
  }
  if (settings.corsOrigin.length > 1)
    warn('CORS_ORIGIN: a static host cannot choose one of several origins: _headers allows none of them');
  const counts = await storedCounts(settings).catch(error => {
    warn(`the export uses only the read counts in the catalogs: ${error.message}`);
    return new Map<number, number>();
  });
  const instant = Math.floor(Date.now() / 1000);
  const stopping = new AbortController();
  const stop = (signal: string) => stopping.abort(new Error(`stopped by ${signal}; ${dir} is as before`));
  const uninstall = onStopSignal(['SIGINT', 'SIGTERM', 'SIGHUP'], stop, () => {});
  const writing = writeExportFolder(dir, draft =>
    exportSet({ report, snapshot, counts, instant }, draft, settings, openLogger('silent'), {
      singlePrices: !flags['without-single-prices'],
      onProgress: files => showProgress(`writing... ${plural(files, 'file')}`),
      signal: stopping.signal,
    }),
  );
  const { until, stale, missingImages, files, bytes } = await writing.finally(uninstall);
  const [missing] = missingImages;
  if (missing !== undefined)
    warn(`${plural(missingImages.length, 'image')} of news items not found, such as ${excerpt(missing)}`);
  const size = `${(bytes / 1e6).toFixed(1)} MB`;
  print(`${snapshot.version} → ${printable(dir)}: ${plural(files, 'file')}, ${size}\n`);
  if (until === Number.POSITIVE_INFINITY) return;
  const { timeZone } = settings;
  const time = openTimeZone(timeZone).format(until);
  print(`export again after ${time} (${timeZone}), when ${stale} changes\n`);
}

/** The file of headers for the host. Its first line names all other files and folders at the top of the export. */
const HEADERS = '_headers';
const FIRST_LINE = '# Written by vitrine export, which replaces this file and: ';

/**
 * Fills a folder with an export, or leaves it as it is if `write` fails. The folder is new, empty, or has an earlier export,
 * which is replaced; hidden files stay. `write` gets an empty folder, and returns the rules of `_headers` as `headers`. If
 * two exports write into one folder, the one that began first fails.
 * @throws Error if the folder has other files or cannot be written, and what `write` throws.
 */
export async function writeExportFolder<Result extends { headers: string }>(
  dir: string,
  write: (draft: string) => Promise<Result>,
): Promise<Result> {
  try {
    const before = await replaceable(dir);
    return await withDraft(dir, async draft => {
      const result = await write(draft);
      const names = (await readdir(draft)).sort();
      await writeFile(join(draft, HEADERS), `${FIRST_LINE}${names.join(' ')}\n${result.headers}`);
      await withDraft(dir, async old => replaceFiles(dir, old, draft, before, names));
      return result;
    });
  } catch (error) {
    // Errors without a code are sentences already.
    throw errorCode(error) === undefined ? error : new Error(`cannot write into ${dir}: ${reasonOf(error)}`);
  }
}

/** Creates the folder, removes what a killed export left, and returns the names of an earlier export, `_headers` last. */
async function replaceable(dir: string): Promise<string[]> {
  await createDirectories(dir);
  const names = await readdir(dir);
  for (const name of names.filter(name => DRAFT.test(name))) {
    // Renamed first, so that an export which is still writing cannot go on in a half-removed folder.
    const trash = join(dir, `.vitrine-${randomUUID()}`);
    await rename(join(dir, name), trash);
    await rm(trash, { recursive: true, force: true });
  }
  const exported = await namesOfExport(dir);
  const other = names.find(name => !name.startsWith('.') && !exported.includes(name));
  if (other !== undefined) {
    const what = exported.length > 0 ? 'which is not of the earlier export' : 'and no earlier export';
    throw new Error(`cannot write into ${dir}: it has ${other}, ${what}; name a new folder`);
  }
  return exported.filter(name => names.includes(name));
}

async function namesOfExport(dir: string): Promise<string[]> {
  const text = await readFile(join(dir, HEADERS), 'utf8').catch(unlessMissing);
  const [line = ''] = text?.split('\n') ?? [];
  return line.startsWith(FIRST_LINE) ? [...line.slice(FIRST_LINE.length).split(' '), HEADERS] : [];
}

/**
 * Moves the earlier export to `old` and the new one into its place, and undoes all moves if one fails. Synchronous, so that
 * no signal interrupts it. `_headers` leaves last and comes first, so that it lists the files of an export at any moment.
 */
function replaceFiles(dir: string, old: string, draft: string, before: string[], after: string[]): void {
  const moves = [
    ...before.map(name => [join(dir, name), join(old, name)] as const),
    ...[HEADERS, ...after].map(name => [join(draft, name), join(dir, name)] as const),
  ];
  const done: (readonly [string, string])[] = [];
  try {
    for (const [from, to] of moves) {
      renameSync(from, to);
      done.push([from, to]);
    }
  } catch (error) {
    for (const [from, to] of done.reverse()) renameSync(to, from);
    throw error;
  }
}
