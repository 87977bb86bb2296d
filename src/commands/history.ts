import { historyPath, listEntries, readEntry } from '../catalog/history/entries.ts';
import type { Entry } from '../catalog/history/entry.ts';
import { systemFs } from '../files/atomic-write.ts';
import { printable } from '../messages.ts';
import type { Settings } from '../settings/settings.ts';
import { rfc3339 } from '../time-zone.ts';

/** `vitrine history`: the sets that were served, newest first. */
export async function listHistory({ stateDir }: Settings, json: boolean): Promise<void> {
  const dir = historyPath(stateDir);
  const entries: Entry[] = [];
  for (const name of (await listEntries(systemFs, dir)).reverse()) {
    const entry = await readEntry(systemFs, dir, name, warn);
    if (entry) entries.push(entry);
  }
  const lines =
    entries.length === 0 ? [`no set has been served with ${printable(dir)} yet`] : entries.map(line);
  process.stdout.write(json ? `${JSON.stringify(entries.map(record), null, 2)}\n` : `${lines.join('\n')}\n`);
}

/** One of the list that `--json` writes. */
function record({ version, since, files }: Entry) {
  return {
    version,
    since: rfc3339(since),
    files: files.map(({ catalog, file, rows, bytes }) => ({ catalog, file, rows, bytes })),
  };
}

function line({ version, since, files }: Entry): string {
  const rows = files.map(({ catalog, rows }) => `${rows} ${catalog.replace('_', ' ')}`);
  return `${version}  since ${rfc3339(since)}  ${rows.join(', ')}`;
}

function warn(sentence: string): void {
  process.stderr.write(`${printable(sentence)}\n`);
}
