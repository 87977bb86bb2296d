import { join } from 'node:path';
import { ApiError } from '../errors.ts';
import { errorCode, type Fs, syncDirectory, systemFs, writeWhole } from '../files/atomic-write.ts';
import { type Entry, type HistoryPlace, historyPath } from '../history/entries.ts';
import { findVersion } from '../history/versions.ts';
import { excerpt, reasonOf } from '../messages.ts';
import type { CatalogSource } from '../reader/read-set.ts';

// What people may change about what is served. Each writes files that the service watches, and works without one.

type ControlDirs = Pick<CatalogSource, 'stateDir' | 'catalogDir'>;

/**
 * Pins a version of the history, or its first digits, and returns it. `isWhole` says whether its files can be read.
 * @throws ApiError if there is no such version, or its files are damaged.
 */
export async function pinVersion(
  history: HistoryPlace,
  text: string,
  isWhole: (entry: Entry) => Promise<boolean>,
): Promise<string> {
  const entry = await findVersion(history, text);
  const { version } = entry;
  const problem = 'cannot be served: its files in the history are damaged or missing';
  if (!(await isWhole(entry))) throw new ApiError('VERSION_DAMAGED', { version, problem });
  await writeControl(history.dir, 'pin', version);
  return version;
}

/**
 * Unpins what this history pins. Returns what that was, undefined if nothing was pinned.
 * @throws ApiError if a file beside the catalogs pins a version for every service of them; `file` is what it calls that.
 * Error if that file cannot be read.
 */
export async function unpinVersion({ stateDir, catalogDir }: ControlDirs, file: string) {
  const dir = historyPath(stateDir);
  const before = await readControls(dir, catalogDir);
  await removeControl(dir, 'pin');
  const { pin, faults } = await readControls(dir, catalogDir);
  if (pin === unknownPin) throw new Error(faults.join('; '));
  if (!pin) return before.pin?.version;
  const what = pin.version === '' ? 'what is served' : `version ${excerpt(pin.version)}`;
  throw new ApiError('STILL_PINNED', { file, what });
}

/**
 * Lets the set go live that is `held` back, and returns its version; `text` is that, or at least its first 6 digits.
 * @throws ApiError if another version is held back, or none.
 */
export async function publishHeld({ stateDir }: ControlDirs, text: string, held: string | undefined) {
  if (held === undefined) throw new ApiError('NOTHING_HELD');
  if (!confirms(text, held)) throw new ApiError('NOT_HELD', { version: excerpt(text), held });
  await writeControl(historyPath(stateDir), 'publish', held);
  return held;
}

/** The names of the files by which people control what is served, in the history and in the catalog directory. */
export const controlNames = ['pin', 'publish'] as const;
/** `held` in the history names the version that the service holds back. */
type ControlName = (typeof controlNames)[number] | 'held';

export interface Pin {
  /** The version that it names, or its first digits; empty if it names none. */
  version: string;
  /** When it last changed, in milliseconds since 1970. */
  changedAt: number;
}

/** A file that cannot be read may pin any version. What is served stays, and nothing else is taken up. */
export const unknownPin: Pin = { version: '', changedAt: 0 };

export interface Controls {
  /** Serves one version, the present one if it names none, and takes up nothing else. That of the history comes first. */
  pin: Pin | undefined;
  /** The contents of the files that let versions go live which are held back; undefined for a file that does not exist. */
  publish: { inHistory: string | undefined; besideCatalogs: string | undefined };
  /** What cannot be read, and why, a sentence each; safe to show to clients. */
  faults: string[];
}

/** The fewest digits that confirm a version. */
const MIN_DIGITS_TO_CONFIRM = 6;
/** The most bytes that are read; a line with a version has 13. */
const MAX_BYTES = 16_384;
/** The most characters of a pin, which messages show. */
const MAX_PIN = 100;

/** Reads the control files of the history and of the catalog directory. A `publish` that cannot be read confirms nothing. */
export async function readControls(
  historyDir: string,
  catalogDir: string,
  fs: Fs = systemFs,
): Promise<Controls> {
  const faults: string[] = [];
  const readIn = async (dir: string, name: string) => {
    const read = (control: ControlName) => readControl(dir, control, fs);
    const [pin, publish] = await Promise.allSettled([read('pin'), read('publish')]);
    const failed = [pin, publish].filter(result => result.status === 'rejected');
    const path = failed.length > 1 ? name : `${name}/${failed[0] === pin ? 'pin' : 'publish'}`;
    if (failed[0]) faults.push(`cannot read ${path}: ${reasonOf(failed[0].reason)}`);
    return {
      pin: pin.status === 'fulfilled' ? pin.value && pinOf(pin.value) : unknownPin,
      publish: publish.status === 'fulfilled' ? publish.value?.text : undefined,
    };
  };
  const history = await readIn(historyDir, 'STATE_DIR/history');
  const catalogs = await readIn(catalogDir, 'CATALOG_DIR');
  const publish = { inHistory: history.publish, besideCatalogs: catalogs.publish };
  return { pin: history.pin ?? catalogs.pin, publish, faults };
}

function pinOf({ text, changedAt }: { text: string; changedAt: number }): Pin {
  return { version: text.trim().toLowerCase().slice(0, MAX_PIN), changedAt };
}

/** Whether one of the lines is a version, or at least its first 6 digits, in any case. All other lines are ignored. */
function confirms(text: string, version: string): boolean {
  const lines = text.split(/[\r\n]/).map(line => line.trim().toLowerCase());
  return lines.some(line => line.length >= MIN_DIGITS_TO_CONFIRM && version.startsWith(line));
}

export function isConfirmed({ inHistory = '', besideCatalogs = '' }: Controls['publish'], version: string) {
  return confirms(inHistory, version) || confirms(besideCatalogs, version);
}

/** The version that the service of this history holds back; undefined if it holds back none. */
export async function readHeld(historyDir: string, fs: Fs = systemFs): Promise<string | undefined> {
  return (await readControl(historyDir, 'held', fs))?.text.trim();
}

/** Names the version that is held back, or none. */
export async function writeHeld(historyDir: string, version: string | undefined, fs: Fs): Promise<void> {
  if (version !== undefined) await writeControl(historyDir, 'held', version, fs);
  else await removeControl(historyDir, 'held', fs);
}

/** Once it resolves, the file survives a power loss. */
async function writeControl(dir: string, name: ControlName, version: string, fs: Fs = systemFs) {
  await fs.mkdir(dir);
  await writeWhole(fs, join(dir, name), `${version}\n`);
  await syncDirectory(fs, dir);
}

/** Once it resolves, a loss of power does not bring the file back. */
export async function removeControl(dir: string, name: ControlName, fs: Fs = systemFs): Promise<void> {
  const isRemoved = await fs.unlink(join(dir, name)).then(() => true, unlessAbsent);
  if (isRemoved) await syncDirectory(fs, dir);
}

/** Undefined if there is none; a folder or a pipe is none. */
async function readControl(dir: string, name: ControlName, fs: Fs) {
  const found = await fs.readStart(join(dir, name), MAX_BYTES).catch(unlessAbsent);
  if (!found) return undefined;
  const { bytes, changedAt } = found;
  // UTF-16 is what `>` writes in the PowerShell of Windows.
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return { text: new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes), changedAt };
}

/** Ignores a file that does not exist, also because its directory does not; rethrows any other error. */
function unlessAbsent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
}
