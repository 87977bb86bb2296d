import type { Fs } from '../../files/atomic-write.ts';
import { nearest, printable } from '../../messages.ts';
import { listEntries, type OnDamage, readEntry } from './entries.ts';
import type { Entry } from './entry.ts';

/** The fewest digits that stand for a version, so that names of directories rarely do. */
const MIN_DIGITS = 4;

/** A version that the history does not have, or not whole any more. */
export class VersionError extends Error {
  /** As it was asked for, safe to show. */
  readonly version: string;
  /** The rest of the message after `version …`. */
  readonly problem: string;
  readonly isDamaged: boolean;

  constructor(version: string, problem: string, isDamaged = false) {
    super(`version ${version} ${problem}`);
    this.version = version;
    this.problem = problem;
    this.isDamaged = isDamaged;
  }
}

/** Whether a text can be a version, or the first digits of one. */
export function isVersion(text: string): boolean {
  return /^[0-9a-f]+$/.test(text) && text.length >= MIN_DIGITS;
}

/**
 * The entry of a version, the newest if the version was served more than once; `text` is the version or its first digits.
 * @throws VersionError that names the nearest version if there is none, or all if there are several; and as `readEntry` does.
 */
export async function findVersion(fs: Fs, dir: string, text: string, onDamage: OnDamage): Promise<Entry> {
  const entries = await listEntries(fs, dir);
  const asked = printable(text, 40);
  if (entries.length === 0)
    throw new VersionError(asked, 'is not in the history: no set has been served with this STATE_DIR yet');
  const versions = [...new Set(entries.map(({ version }) => version))];
  const found = isVersion(text) ? versions.filter(version => version.startsWith(text)) : [];
  if (found.length > 1) throw new VersionError(asked, `can be ${found.join(' or ')}: write more of it`);
  const [version] = found;
  if (version === undefined) {
    const near = nearest(text, versions);
    const hint = near ? `did you mean ${near}?` : `the newest is ${versions.at(-1)}`;
    throw new VersionError(asked, `is not in the history: ${hint}`);
  }
  for (const name of entries.filter(entry => entry.version === version).reverse()) {
    const entry = await readEntry(fs, dir, name, onDamage);
    if (entry) return entry;
  }
  throw new VersionError(version, 'of the history is damaged', true);
}
