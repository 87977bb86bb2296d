import { readFile } from 'node:fs/promises';
import { text as readAll } from 'node:stream/consumers';
import { type Log, plural, printable, reasonOf } from '../messages.ts';
import { exportCounts, importCounts, parseCountsText, setCount } from '../reads/import-export.ts';
import { wholeNumber } from '../settings/parsers.ts';
import { parseAs } from '../settings/read.ts';
import type { Call } from './call.ts';

/** `vitrine counts export`. */
export async function exportAll({ settings, print }: Call): Promise<void> {
  print(await exportCounts(settings()));
}

/** `vitrine counts import FILE`; `-` is standard input. */
export async function importFrom(call: Call, file: string): Promise<void> {
  const isInput = file === '-';
  const source = isInput ? 'standard input' : printable(file, 200);
  const text = await (isInput ? readAll(call.stdin) : readFile(file, 'utf8')).catch(error => {
    throw new Error(`cannot read ${source}: ${reasonOf(error)}`);
  });
  const counts = parseCountsText(text, source);
  const larger = await importCounts(call.settings(), counts, logOf(call));
  call.print(`${plural(counts.size, 'read count')} in ${source}, ${larger} of them larger than before\n`);
}

/** `vitrine counts set ID N`. */
export async function setTo(call: Call, id: string, count: string): Promise<void> {
  const [newsId, wanted] = [parseNumber('ID', id, 1), parseNumber('N', count, 0)];
  const before = await setCount(call.settings(), newsId, wanted, logOf(call));
  const hint = wanted < before ? '; if the catalog has a larger "read", that is shown' : '';
  call.print(`news item ${newsId}: ${before} → ${wanted}${hint}\n`);
}

function logOf({ warn }: Call): Log {
  return { info: warn, warn, error: warn };
}

function parseNumber(what: string, text: string, least: number): number {
  const { parse, expected } = wholeNumber('', least, Number.MAX_SAFE_INTEGER);
  return parseAs({ parse, expected: `${what} to be ${expected}` }, text, 'counts set');
}
