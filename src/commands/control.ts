import { systemFs } from '../files/atomic-write.ts';
import { isWholeEntry } from '../history/contents.ts';
import { historyPath } from '../history/entries.ts';
import { pinVersion, publishHeld, readHeld, unpinVersion } from '../live/control.ts';
import { printable } from '../messages.ts';
import { commandLineFor } from '../process/command-name.ts';
import { warn } from '../process/warn.ts';
import type { Settings } from '../settings/settings.ts';

/** `vitrine rollback VERSION`. @throws Error as `pinVersion` does. */
export async function rollback(text: string, settings: Settings): Promise<void> {
  const dir = historyPath(settings.stateDir);
  const version = await pinVersion(settings, text, entry => isWholeEntry(systemFs, dir, entry, warn), warn);
  print(
    `version ${version} is pinned: the service serves it, and nothing else until you run '${commandLineFor('unpin', settings)}'`,
  );
}

/** `vitrine unpin`. @throws Error as `unpinVersion` does. */
export async function unpin(settings: Settings): Promise<void> {
  const before = await unpinVersion(settings);
  print(
    before === undefined
      ? 'nothing is pinned'
      : 'nothing is pinned any more: the service loads the catalog files again',
  );
}

/** `vitrine publish VERSION`. @throws Error as `publishHeld` does. */
export async function publish(text: string, settings: Settings): Promise<void> {
  const version = await publishHeld(settings, text, await readHeld(historyPath(settings.stateDir)));
  print(`version ${version} is confirmed: the service serves it`);
}

function print(sentence: string): void {
  process.stdout.write(`${printable(sentence)}\n`);
}
