import { constants } from 'node:fs';
import { mkdir, open, unlink } from 'node:fs/promises';
import { join } from 'node:path';
import { errorCode, syncDirectory, systemFs, writeWhole } from '../../files/atomic-write.ts';

/** The names of the files by which people control what is served, in the history and in the catalog directory. */
export const controlNames = ['pin', 'publish'] as const;

/** The file in the history by which a service names the version that it holds back. */
const HELD = 'held';
type ControlName = (typeof controlNames)[number] | typeof HELD;

/** A file by which people control what is served. */
export interface ControlFile {
  /** The version that it names, or its first digits; empty if it names none. */
  version: string;
  /** When it last changed, in milliseconds since 1970. */
  changedAt: number;
}

/** What people have asked for. */
export interface Controls {
  /** Serves one version, the present one if it names none, and takes up nothing else. That of the history comes first. */
  pin: ControlFile | undefined;
  /** Let a set go live that was held back: the named version, or if it names none what the files held when it was written. */
  publish: ControlFile[];
}

/** The longest content that is read, in bytes; a version has 12 digits. */
const MAX_BYTES = 100;

/** Reads the control files of the history and of the catalog directory. @throws Error if one exists and cannot be read. */
export async function readControls(historyDir: string, catalogDir: string): Promise<Controls> {
  const pin = (await readControl(historyDir, 'pin')) ?? (await readControl(catalogDir, 'pin'));
  const publish = [await readControl(historyDir, 'publish'), await readControl(catalogDir, 'publish')];
  return { pin, publish: publish.filter(file => file !== undefined) };
}

/** The version that the service of this history holds back; undefined if it holds back none. */
export async function readHeld(historyDir: string): Promise<string | undefined> {
  return (await readControl(historyDir, HELD))?.version;
}

/** Names the version that is held back, or none. */
export async function writeHeld(historyDir: string, version: string | undefined): Promise<void> {
  if (version !== undefined) await writeControl(historyDir, HELD, version);
  else await removeControl(historyDir, HELD);
}

/** Once it resolves, the file survives a power loss. */
export async function writeControl(dir: string, name: ControlName, version: string): Promise<void> {
  await mkdir(dir, { recursive: true });
  await writeWhole(systemFs, join(dir, name), `${version}\n`);
  await syncDirectory(systemFs, dir);
}

export async function removeControl(dir: string, name: ControlName): Promise<void> {
  await unlink(join(dir, name)).catch(unlessAbsent);
}

/** Undefined if there is none; a folder or a pipe is none. `O_NONBLOCK` does not wait for the writer of a pipe. */
async function readControl(dir: string, name: ControlName): Promise<ControlFile | undefined> {
  const file = await open(join(dir, name), constants.O_RDONLY | constants.O_NONBLOCK).catch(unlessAbsent);
  if (!file) return undefined;
  try {
    const stats = await file.stat();
    if (!stats.isFile()) return undefined;
    const { buffer, bytesRead } = await file.read(Buffer.alloc(MAX_BYTES), 0, MAX_BYTES, 0);
    const text = buffer.toString('utf8', 0, bytesRead).replace(/^\uFEFF/, '');
    return { version: text.trim().toLowerCase(), changedAt: stats.ctimeMs };
  } finally {
    await file.close();
  }
}

/** Ignores a file that does not exist, also because its directory does not; rethrows any other error. */
function unlessAbsent(error: unknown): undefined {
  if (errorCode(error) !== 'ENOENT' && errorCode(error) !== 'ENOTDIR') throw error;
}
