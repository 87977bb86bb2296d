import { systemFs } from '../files/atomic-write.ts';
import { historyPath, type OnDamage } from '../history/entries.ts';
import type { Entry } from '../history/entry.ts';
import { findVersion, VersionError } from '../history/versions.ts';
import { excerpt } from '../messages.ts';
import type { SetReport } from '../reader/read-directory.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import {
  confirms,
  readControls,
  removeControl,
  type Unconfirmed,
  writeControl,
} from './watch/control-files.ts';

// What people may change about what is served. Each writes files that the service watches, and works without one.

/** Another version is held back than the one that was to be confirmed, or none. */
export class NotHeldError extends Error {
  /** As it was asked for, safe to show. */
  readonly version: string;
  /** The version that is held back; undefined if none is. */
  readonly held: string | undefined;

  constructor(version: string, held: string | undefined) {
    super(
      held === undefined ? 'no version is held back' : `version ${version} is not held back, but ${held} is`,
    );
    this.version = version;
    this.held = held;
  }
}

/** A file beside the catalogs pins a version for every service of them. */
export class StillPinnedError extends Error {
  /** What it pins, such as `version 790948ef4deb`. */
  readonly what: string;

  constructor(what: string, catalogDir: string) {
    super(`${catalogDir}/pin still pins ${what}, for every service of these catalogs: delete that file`);
    this.what = what;
  }
}

interface ControlDirs {
  stateDir: string;
  catalogDir: string;
}

/**
 * Pins a version of the history, or its first digits, and returns it. `isWhole` says whether its files can be read.
 * @throws VersionError if there is no such version, or its files are damaged.
 */
export async function pinVersion(
  { stateDir }: Pick<ControlDirs, 'stateDir'>,
  text: string,
  isWhole: (entry: Entry) => Promise<boolean>,
  onDamage: OnDamage,
): Promise<string> {
  const dir = historyPath(stateDir);
  const entry = await findVersion(systemFs, dir, text, onDamage);
  const { version } = entry;
  if (!(await isWhole(entry)))
    throw new VersionError(
      version,
      'cannot be served: its files in the history are damaged or missing',
      true,
    );
  await writeControl(dir, 'pin', version);
  return version;
}

/** Unpins what this history pins. Returns what that was, undefined if nothing was pinned. @throws StillPinnedError */
export async function unpinVersion({ stateDir, catalogDir }: ControlDirs): Promise<string | undefined> {
  const dir = historyPath(stateDir);
  const before = await readControls(dir, catalogDir);
  await removeControl(dir, 'pin');
  const { pin } = await readControls(dir, catalogDir);
  if (pin)
    throw new StillPinnedError(
      pin.version === '' ? 'what is served' : `version ${excerpt(pin.version)}`,
      catalogDir,
    );
  return before.pin?.version;
}

/**
 * Lets the set go live that is `held` back, and returns its version; `text` is that, or at least its first 6 digits.
 * @throws NotHeldError
 */
export async function publishHeld(
  { stateDir }: Pick<ControlDirs, 'stateDir'>,
  text: string,
  held: string | undefined,
): Promise<string> {
  if (held === undefined || !confirms(text, held)) throw new NotHeldError(excerpt(text), held);
  await writeControl(historyPath(stateDir), 'publish', held);
  return held;
}

/** A set without errors that is not served because it is drastic. */
export interface Held {
  version: string;
  /** Since when it is held back, in Unix seconds. */
  since: number;
  report: SetReport;
  unconfirmed: Unconfirmed;
  /** Undefined while the next set is read, since there is memory for two. */
  snapshot: Snapshot | undefined;
}
