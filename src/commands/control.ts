import { historyPath } from '../catalog/history/entries.ts';
import { findVersion, isVersion } from '../catalog/history/find-version.ts';
import { filesOf } from '../catalog/history/kept-sets.ts';
import { readControls, readHeld, removeControl, writeControl } from '../catalog/watch/control-files.ts';
import { systemFs } from '../files/atomic-write.ts';
import { excerpt, printable } from '../messages.ts';
import type { Settings } from '../settings/settings.ts';
import { warn } from './warn.ts';

/**
 * `vitrine rollback VERSION`: pins a version of the history, or its first digits.
 * @throws Error if there is no such version, or its files are damaged.
 */
export async function rollback(version: string, { stateDir }: Settings): Promise<void> {
  const dir = historyPath(stateDir);
  const entry = await findVersion(systemFs, dir, version, warn);
  if (!(await filesOf(systemFs, dir, entry.files, warn)))
    throw new Error(
      `version ${entry.version} cannot be served: its files in the history are damaged or missing`,
    );
  await writeControl(dir, 'pin', entry.version);
  print(
    `version ${entry.version} is pinned: the service serves it, and nothing else until you run 'vitrine unpin'`,
  );
}

/** `vitrine unpin`. @throws Error if a version stays pinned by a file beside the catalogs, which is not for one service alone. */
export async function unpin({ stateDir, catalogDir }: Settings): Promise<void> {
  const dir = historyPath(stateDir);
  const before = await readControls(dir, catalogDir);
  await removeControl(dir, 'pin');
  const { pin } = await readControls(dir, catalogDir);
  if (pin) {
    const what = pin.version === '' ? 'what is served' : `version ${pin.version}`;
    throw new Error(
      `${catalogDir}/pin still pins ${what}, for every service of these catalogs: delete that file`,
    );
  }
  print(
    before.pin
      ? 'nothing is pinned any more: the service loads the catalog files again'
      : 'nothing is pinned',
  );
}

/** `vitrine publish VERSION`: lets a set go live that is held back. @throws Error if another one is held back, or none. */
export async function publish(version: string, { stateDir }: Settings): Promise<void> {
  const dir = historyPath(stateDir);
  const held = await readHeld(dir);
  if (held === undefined) throw new Error('no version is held back');
  if (!isVersion(version) || !held.startsWith(version))
    throw new Error(`version ${excerpt(version)} is not held back, but ${held} is`);
  await writeControl(dir, 'publish', held);
  print(`version ${held} is confirmed: the service serves it`);
}

function print(sentence: string): void {
  process.stdout.write(`${printable(sentence)}\n`);
}
