import { type FileHandle, mkdir, open } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { pid } from 'node:process';
import type { Log } from '../log.ts';

const FILE = 'lock';

/**
 * Takes a state directory, which is made where it is missing, for this process alone, and returns what gives it back.
 * It is a lock of the system's, which ends with its process, however that ends. Where there is none to be had (a file
 * system without locks, a disk that is full or cannot be written) that is logged, and the directory used all the same.
 * @throws Error where the directory cannot be made, and one that names the process which has it.
 */
export async function takeState(stateDir: string, log: Log): Promise<() => Promise<void>> {
  await mkdir(stateDir, { recursive: true }).catch(error => {
    throw new Error(`the state directory ${stateDir} cannot be made: ${error.message}`);
  });
  let file: FileHandle | undefined;
  let isTaken = false;
  try {
    file = await open(join(stateDir, FILE), 'a+');
    isTaken = !(await isLocked(file));
    // Whether it can be signed or not, the lock holds.
    if (!isTaken) await sign(file).catch(() => {});
  } catch (error) {
    log.warn(`${stateDir} cannot be locked (${error}): see to it that no other process uses it`);
  }
  if (!isTaken) return async () => file?.close();
  const holder = await file?.readFile('utf8');
  await file?.close();
  throw new Error(
    `the state directory ${stateDir} is in use by ${holder || 'another process'}: stop that one, or choose another directory with --state-dir`,
  );
}

async function isLocked(file: FileHandle): Promise<boolean> {
  const { tryLock } = await import('fs-native-extensions');
  return tryLock(file.fd);
}

/** Says who has the directory, for whoever is refused. */
async function sign(file: FileHandle): Promise<void> {
  await file.truncate();
  await file.writeFile(`process ${pid} on ${hostname()}`);
}
