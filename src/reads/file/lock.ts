import { spawn } from 'node:child_process';
import { once } from 'node:events';
import type { BigIntStats } from 'node:fs';
import { type FileHandle, open, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import { createDirectories, unlessMissing } from '../../files/atomic-write.ts';
import { type Log, reasonOf } from '../../messages.ts';

const FILE = 'lock';

/** The lock of a state directory. The operating system releases it however the process ends. */
export type StateLock = Awaited<ReturnType<typeof lockStateDir>>;

/** Another process, or another service of this process, has the lock. */
export class StateInUseError extends Error {
  override readonly name = 'StateInUseError';
}

/** The lock files that this process has locked. */
const ownLocks = new Set<string>();

/**
 * Locks a state directory for this process, and creates it if missing. If the lock file cannot be opened, for example because
 * the directory is read-only, the process has no lock for now. If the system offers no locks, it logs a warning.
 * @throws Error if the directory cannot be created, or StateInUseError if another process has the lock.
 */
export async function lockStateDir(stateDir: string, log: Log) {
  const path = join(stateDir, FILE);
  let held: Awaited<ReturnType<typeof lockNow>> | undefined;
  const isInPlace = async ({ stats }: { stats: BigIntStats }) => {
    const found = await stat(path, { bigint: true }).catch(unlessMissing);
    return found?.ino === stats.ino && found.dev === stats.dev;
  };
  const renewNow = async () => {
    const before = held;
    const isSameFile = before !== undefined && (await isInPlace(before));
    if (isSameFile && !before.fault) return;
    let next: typeof held;
    try {
      await createDirectory(stateDir);
      next = await lockNow(stateDir, path);
    } finally {
      held = next;
      await before?.close();
    }
    if (next.fault && next.fault !== before?.fault) log.warn(`${stateDir}: ${next.fault}`);
    if (before && !isSameFile)
      log.warn(`${stateDir} was moved, deleted or replaced: using the directory that is there now`);
  };

  let renewing: Promise<void> = Promise.resolve();
  /**
   * Takes the lock if this process does not have it, because it failed before or because somebody moved, deleted or replaced
   * the directory. Call it before each write.
   * @throws StateInUseError while another process has the lock, and Error while the lock file cannot be created or opened.
   */
  const renew = () => {
    // Not at the same time, since a second lock of this process would find the first one in use.
    renewing = renewing.then(renewNow, renewNow);
    return renewing;
  };

  await createDirectory(stateDir);
  await renew().catch(async error => {
    if (error instanceof StateInUseError) throw error;
    await findHolder(stateDir, path);
  });
  return {
    /** Whether this process may write to the directory now, since it has the lock or the system offers none. */
    mayWrite: () =>
      renew().then(
        () => true,
        () => false,
      ),
    /** Why the system offers no lock, so that another process may use the directory. Safe to show to clients. */
    fault: () => held?.fault,
    renew,
    release: async () => held?.close(),
  };
}

async function createDirectory(stateDir: string): Promise<void> {
  await createDirectories(stateDir).catch(error => {
    throw new Error(`the state directory ${stateDir} cannot be created: ${error.message}`, { cause: error });
  });
}

async function lockNow(stateDir: string, path: string) {
  const file = await open(path, 'a+').catch(error => {
    throw new Error(`the state directory ${stateDir} cannot be locked: ${error.message}`, { cause: error });
  });
  try {
    const stats = await file.stat({ bigint: true });
    const key = `${stats.dev} ${stats.ino}`;
    const fault = await lock(file.fd).then(
      async isLocked => {
        if (!isLocked) throw await inUse(stateDir, file);
        ownLocks.add(key);
        // For the error message of another process. The lock holds even if this cannot be written.
        const writing = file.truncate().then(() => file.writeFile(`process ${pid} on ${hostname()}`));
        await writing.catch(() => {});
      },
      error =>
        `the state directory is not locked (${reasonOf(error)}): make sure that no other process uses it`,
    );
    return {
      stats,
      close() {
        if (fault === undefined) ownLocks.delete(key);
        return file.close();
      },
      /** Why the file is open but not locked. */
      fault: fault ?? undefined,
    };
  } catch (error) {
    await file.close();
    throw error;
  }
}

/** Even a read-only lock file shows whether another process has the lock. @throws StateInUseError if one does. */
async function findHolder(stateDir: string, path: string): Promise<void> {
  const file = await open(path, 'r').catch(() => undefined);
  try {
    if (file && !(await lock(file.fd, true).catch(() => true))) throw await inUse(stateDir, file);
  } finally {
    await file?.close();
  }
}

async function inUse(stateDir: string, file: FileHandle): Promise<StateInUseError> {
  const { dev, ino } = await file.stat({ bigint: true });
  const [owner, remedy] = ownLocks.has(`${dev} ${ino}`)
    ? ['another service of this process', 'close that one, or give each a stateDir of its own']
    : [(await file.readFile('utf8')) || 'another process', 'stop it, or set another STATE_DIR'];
  return new StateInUseError(`the state directory ${stateDir} is in use by ${owner}: ${remedy}`, {
    cause: new Error(`the state directory is in use by ${owner}`),
  });
}

/**
 * Locks a file until all its descriptors are closed. Returns false if another process has the lock. A shared lock, for a file
 * that is open for reading, excludes only exclusive locks. Tries the native addon, which not every system has, then flock(1).
 * @throws Error if both fail.
 */
async function lock(fd: number, shared = false): Promise<boolean> {
  try {
    const { tryLock } = await import('fs-native-extensions');
    return tryLock(fd, { shared });
  } catch (error) {
    return lockByProgram(fd, shared).catch(other => {
      throw new Error(`fs-native-extensions: ${reasonOf(error).split('\n')[0]}; flock: ${reasonOf(other)}`);
    });
  }
}

/** Runs flock(1) of util-linux or BusyBox. The lock belongs to the open file, which is shared, and so outlives flock. */
async function lockByProgram(fd: number, shared: boolean): Promise<boolean> {
  const child = spawn('flock', ['-n', shared ? '-s' : '-x', '3'], {
    stdio: ['ignore', 'ignore', 'pipe', fd],
  });
  let problem = '';
  child.stderr?.on('data', data => (problem += data));
  const [code] = await once(child, 'close');
  if (code === 0) return true;
  // BusyBox also exits with 1 on errors, but prints them.
  if (code === 1 && problem === '') return false;
  throw new Error(problem.trim() || `exit code ${code}`);
}
