import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { statsOf, systemFs } from '../../files/atomic-write.ts';
import { type Log, reasonOf } from '../../messages.ts';

const FILE = 'lock';

export interface StateLock {
  /** Why another process may use the directory, safe to show to clients; undefined if none can. */
  fault(): string | undefined;
  /** Locks a directory anew that was moved, deleted or replaced, with a warning. @throws Error as `lockStateDir` does. */
  renew(): Promise<void>;
  release(): Promise<void>;
}

/** Another process holds the lock. */
export class InUseError extends Error {}

interface Held {
  file: FileHandle | undefined;
  /** The inode of the file at its path; undefined for a directory that cannot be locked. */
  ino: bigint | undefined;
  fault: string | undefined;
}

/**
 * Locks a state directory for this process; creates it if missing. The operating system releases the lock when the
 * process ends in any way. A directory that cannot be locked (no locks on this system or file system, a full disk) is
 * used with a warning in the log.
 * @throws Error if the directory cannot be created, or InUseError if another process holds the lock.
 */
export async function lockStateDir(stateDir: string, log: Log): Promise<StateLock> {
  const path = join(stateDir, FILE);
  let held = await lockNow(stateDir, path, log);
  return {
    fault: () => held.fault,
    async renew() {
      if ((await statsOf(systemFs, path))?.ino === held.ino) return;
      const { file } = held;
      held = await lockNow(stateDir, path, log);
      await file?.close();
      log.warn(`${stateDir} was moved, deleted or replaced: using the directory that is there now`);
    },
    release: async () => held.file?.close(),
  };
}

async function lockNow(stateDir: string, path: string, log: Log): Promise<Held> {
  await mkdir(stateDir, { recursive: true }).catch(error => {
    throw new Error(`the state directory ${stateDir} cannot be created: ${error.message}`, { cause: error });
  });
  let file: FileHandle | undefined;
  let isInUse = false;
  let fault: string | undefined;
  try {
    file = await open(path, 'a+');
    isInUse = !(await lock(file.fd));
    // The lock holds even if its owner cannot be written.
    if (!isInUse) await writeOwner(file).catch(() => {});
  } catch (error) {
    fault = `the state directory is not locked (${reasonOf(error)}): make sure that no other process uses it`;
    log.warn(`${stateDir}: ${fault}`);
  }
  if (!isInUse) return { file, fault, ino: (await statsOf(systemFs, path))?.ino };
  const owner = (await file?.readFile('utf8')) || 'another process';
  await file?.close();
  throw new InUseError(
    `the state directory ${stateDir} is in use by ${owner}: stop it, or set another STATE_DIR`,
    { cause: new Error(`the state directory is in use by ${owner}`) },
  );
}

/**
 * Locks a file until all its descriptors are closed; false if another process holds the lock. Tries the native addon,
 * which not every system has, then flock(1).
 * @throws Error if both fail.
 */
async function lock(fd: number): Promise<boolean> {
  try {
    const { tryLock } = await import('fs-native-extensions');
    return tryLock(fd);
  } catch (error) {
    return lockByProgram(fd).catch(other => {
      throw new Error(`fs-native-extensions: ${reasonOf(error).split('\n')[0]}; flock: ${reasonOf(other)}`);
    });
  }
}

/** Runs flock(1) of util-linux or BusyBox. The lock belongs to the open file that both share, and so outlives it. */
async function lockByProgram(fd: number): Promise<boolean> {
  const child = spawn('flock', ['-n', '3'], { stdio: ['ignore', 'ignore', 'pipe', fd] });
  let problem = '';
  child.stderr?.on('data', data => (problem += data));
  const [code] = await once(child, 'close');
  if (code === 0) return true;
  // BusyBox also exits with 1 on errors, but prints them.
  if (code === 1 && problem === '') return false;
  throw new Error(problem.trim() || `exit code ${code}`);
}

/** For the error message of another process. */
async function writeOwner(file: FileHandle): Promise<void> {
  await file.truncate();
  await file.writeFile(`process ${pid} on ${hostname()}`);
}
