import { eachEntry, historyPath } from '../catalog/history/entries.ts';
import { describeVersion } from '../catalog/history/versions.ts';
import { systemFs } from '../files/atomic-write.ts';
import { plural, printable } from '../messages.ts';
import { warn } from '../process/warn.ts';
import type { Settings } from '../settings/settings.ts';

type Version = ReturnType<typeof describeVersion>;

/** `vitrine history`: the sets that were served, newest first. */
export async function listHistory({ stateDir }: Settings, json: boolean): Promise<void> {
  const dir = historyPath(stateDir);
  const versions: Version[] = [];
  for await (const { entry } of eachEntry(systemFs, dir, warn)) versions.push(describeVersion(entry));
  const text = versions.length === 0 ? `no set has been served with ${printable(dir)} yet` : table(versions);
  process.stdout.write(`${json ? JSON.stringify(versions, null, 2) : text}\n`);
}

/** A line for each set: its version, since when it was served, its rows, and what it changed if that is known. */
function table(versions: readonly Version[]): string {
  const counts = versions.map(({ rows }) => plural(rows, 'row'));
  const width = Math.max(...counts.map(count => count.length));
  const line = ({ version, since, changes }: Version, index: number) =>
    `${version}  since ${since}  ${counts[index]?.padStart(width)}  ${printable(changes ?? '')}`.trimEnd();
  return versions.map(line).join('\n');
}
