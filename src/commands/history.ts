import { eachEntry, historyPath } from '../catalog/history/entries.ts';
import type { Entry } from '../catalog/history/entry.ts';
import { systemFs } from '../files/atomic-write.ts';
import { plural, printable } from '../messages.ts';
import type { Settings } from '../settings/settings.ts';
import { rfc3339 } from '../time-zone.ts';
import { warn } from './warn.ts';

/** `vitrine history`: the sets that were served, newest first. */
export async function listHistory({ stateDir }: Settings, json: boolean): Promise<void> {
  const dir = historyPath(stateDir);
  const entries: Entry[] = [];
  for await (const { entry } of eachEntry(systemFs, dir, warn)) entries.push(entry);
  const text = entries.length === 0 ? `no set has been served with ${printable(dir)} yet` : table(entries);
  process.stdout.write(`${json ? JSON.stringify(entries.map(record), null, 2) : text}\n`);
}

/** One of the list that `--json` writes. */
function record({ version, since, files, summary }: Entry) {
  return {
    version,
    since: rfc3339(since),
    summary: summary ?? null,
    files: files.map(({ catalog, file, rows, bytes }) => ({ catalog, file, rows, bytes })),
  };
}

/** A line for each set: its version, since when it was served, its rows, and what it changed if that is known. */
function table(entries: readonly Entry[]): string {
  const counts = entries.map(({ files }) =>
    plural(
      files.reduce((sum, { rows }) => sum + rows, 0),
      'row',
    ),
  );
  const width = Math.max(...counts.map(count => count.length));
  const line = ({ version, since, summary = '' }: Entry, index: number) =>
    `${version}  since ${rfc3339(since)}  ${counts[index]?.padStart(width)}  ${printable(summary)}`.trimEnd();
  return entries.map(line).join('\n');
}
