import { join } from 'node:path';
import { ApiError } from '../errors.ts';
import { type Fs, syncDirectory, systemFs, unlessAbsent, writeWhole } from '../files/atomic-write.ts';
import { type Entry, type HistoryPlace, historyPath } from '../history/entries.ts';
import { findVersion } from '../history/versions.ts';
import { excerpt, reasonOf } from '../messages.ts';
import type { CatalogSource } from '../reader/read-set.ts';

// The control files `pin`, `publish` and `held`, which the service watches. The commands also work while it does not run.

type ControlDirs = Pick<CatalogSource, 'stateDir' | 'catalogDir'>;

/**
 * Pins a version of the history, given as a whole or by its first digits, and returns it. `isWhole` checks its files.
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
 * Removes the pin of this history. Returns the version that was pinned; undefined if none was.
 * @throws ApiError if a file beside the catalogs still pins a version; the message calls it `file`. Error if that file cannot
 * be read.
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

/** Confirms the `held` set by at least 6 digits. @throws ApiError if another version is held back, or none. */
export async function publishHeld({ stateDir }: ControlDirs, text: string, held: string | undefined) {
  if (held === undefined) throw new ApiError('NOTHING_HELD');
  if (!confirms(text, held)) throw new ApiError('NOT_HELD', { version: excerpt(text), held });
  await writeControl(historyPath(stateDir), 'publish', held);
  return held;
}

/** The files that people write, in the history or in the catalog directory. */
export const controlNames = ['pin', 'publish'] as const;
/** `held`, in the history, names the version that the service holds back. */
type ControlName = (typeof controlNames)[number] | 'held';

export interface Pin {
  version: string;
  changedAt: number;
}

/** A pin that cannot be read may name any version: the served set stays, and no other is loaded. */
export const unknownPin: Pin = { version: '', changedAt: 0 };

export interface Controls {
  /** The version to serve, without loading others. The pin in the history comes before that beside the catalogs. */
  pin: Pin | undefined;
  publish: { inHistory: string | undefined; besideCatalogs: string | undefined };
  /** Why a control file cannot be read, one sentence each; safe to show to clients. */
  faults: string[];
}

const MIN_DIGITS_TO_CONFIRM = 6;
/** The maximum number of bytes to read; a line with a version has 13. */
const MAX_BYTES = 16_384;
/** The maximum length of a pin in messages. */
const MAX_PIN = 100;

/** Reads the control files. A `publish` that cannot be read confirms nothing. */
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

/** Whether a line is the version, or at least its first 6 digits, in any case. Other lines are ignored. */
function confirms(text: string, version: string): boolean {
  const lines = text.split(/[\r\n]/).map(line => line.trim().toLowerCase());
  return lines.some(line => line.length >= MIN_DIGITS_TO_CONFIRM && version.startsWith(line));
}

export function isConfirmed({ inHistory = '', besideCatalogs = '' }: Controls['publish'], version: string) {
  return confirms(inHistory, version) || confirms(besideCatalogs, version);
}

export async function readHeld(historyDir: string, fs: Fs = systemFs): Promise<string | undefined> {
  return (await readControl(historyDir, 'held', fs))?.text.trim();
}

export async function writeHeld(historyDir: string, version: string | undefined, fs: Fs): Promise<void> {
  if (version !== undefined) await writeControl(historyDir, 'held', version, fs);
  else await removeControl(historyDir, 'held', fs);
}

/** Once this resolves, the file survives a power loss. */
async function writeControl(dir: string, name: ControlName, version: string, fs: Fs = systemFs) {
  await fs.mkdir(dir);
  await writeWhole(fs, join(dir, name), `${version}\n`);
  await syncDirectory(fs, dir);
}

/** Once this resolves, the file stays deleted after a power loss. */
export async function removeControl(dir: string, name: ControlName, fs: Fs = systemFs): Promise<void> {
  const isRemoved = await fs.unlink(join(dir, name)).then(() => true, unlessAbsent);
  if (isRemoved) await syncDirectory(fs, dir);
}

/** Returns undefined if there is no such file. A folder or a pipe does not count as one. */
async function readControl(dir: string, name: ControlName, fs: Fs) {
  const found = await fs.readStart(join(dir, name), MAX_BYTES).catch(unlessAbsent);
  if (!found) return undefined;
  const { bytes, changedAt } = found;
  // `>` in Windows PowerShell writes UTF-16.
  const isUtf16 = bytes[0] === 0xff && bytes[1] === 0xfe;
  return { text: new TextDecoder(isUtf16 ? 'utf-16le' : 'utf-8').decode(bytes), changedAt };
}
