import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { plural, printable } from '../messages.ts';
import { openProgressLine } from '../process/terminal.ts';
import { warn } from '../process/warn.ts';
import { exportCounts, importCounts, parseCountsText, setCount } from '../reads/import-export.ts';
import { UsageError } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';

const log = { info: warn, warn, error: warn };

/** `vitrine counts export`. */
export async function exportAll(settings: Settings): Promise<void> {
  const showProgress = openProgressLine(process.stderr);
  const text = await exportCounts(settings, done => showProgress(`${plural(done, 'read count')}...`));
  showProgress('');
  process.stdout.write(text);
}

/** `vitrine counts import FILE`; `-` is standard input. */
export async function importFrom(file: string, settings: Settings): Promise<void> {
  const isInput = file === '-';
  const source = isInput ? 'standard input' : printable(file, 200);
  const text = await (isInput ? readAll(process.stdin) : readFile(file, 'utf8')).catch(error => {
    throw new Error(`cannot read ${source}: ${error.message}`);
  });
  const counts = parseCountsText(text, source);
  const showProgress = openProgressLine(process.stderr);
  const larger = await importCounts(settings, counts, log, done =>
    showProgress(`${done} of ${plural(counts.size, 'read count')}...`),
  );
  showProgress('');
  process.stdout.write(
    `${plural(counts.size, 'read count')} in ${source}, ${larger} of them larger than before\n`,
  );
}

/** `vitrine counts set ID N`. */
export async function setTo(id: string, count: string, readSettings: () => Settings): Promise<void> {
  const [newsId, wanted] = [wholeNumber('ID', id, 1), wholeNumber('N', count, 0)];
  const before = await setCount(readSettings(), newsId, wanted, log);
  const hint = wanted < before ? '; if the catalog has a larger "read", that is shown' : '';
  process.stdout.write(`news item ${newsId}: ${before} → ${wanted}${hint}\n`);
}

function wholeNumber(what: string, text: string, least: number): number {
  const value = /^\d+$/.test(text) ? Number(text) : Number.NaN;
  if (Number.isSafeInteger(value) && value >= least) return value;
  throw new UsageError(
    `counts set: expected ${what} to be a whole number from ${least} to ${Number.MAX_SAFE_INTEGER}, got "${printable(text, 40)}"`,
  );
}
