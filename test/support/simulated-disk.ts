import { basename, dirname } from 'node:path';
import type { Fs } from '../../src/files/atomic-write.ts';

type OpenFile = Awaited<ReturnType<Fs['open']>>;

/** What can be done with a disk or with an open file. */
export type Operation = keyof Fs | keyof OpenFile;

/** What becomes of an operation: an error, only half of what it writes, or a loss of power before or after its effect. */
export type Mishap = 'EIO' | 'ENOSPC' | 'EROFS' | 'short write' | 'power loss before' | 'power loss after';

/** A mishap of the operations with these numbers, the first of all being 1; of every kind unless some are named. */
export interface Incident {
  mishap: Mishap;
  from: number;
  to: number;
  kinds?: Operation[];
}

/** Texts by path; binary contents as Latin-1. */
export type Files = Record<string, string>;

/** A disk in memory that tells what is only in the cache from what a loss of power leaves. */
export interface SimulatedDisk extends Fs {
  /** All that were asked for so far. */
  operations: Operation[];
  hasPower(): boolean;
  /** Has power again, and all that was in the cache: only the process that used it had died. */
  restart(): void;
  /** The distinct sets of files of which one is found after a loss of power, be it past or at this moment. */
  found(): Files[];
}

interface Inode {
  ino: bigint;
  mtimeNs: bigint;
  /** In ms since 1970. */
  changedAt: number;
  text: string;
  durable: string;
  /** As with Linux: a sync that failed takes the text for written, so that a later one succeeds and writes nothing. */
  isDropped: boolean;
}

type Entries = Map<string, Inode>;

/** The directory of the simulated disk. Those that are made below it survive a loss of power at once. */
export const DIRECTORY = '/state';

/** A change of the entries of one directory. */
interface Step {
  dir: string;
  apply(entries: Entries): void;
}

/** A disk with these files on it, all of them durable. After a loss of power every operation rejects. */
export function simulateDisk(
  files: Files = {},
  incidents: Incident[] = [],
  now: () => number = () => 0,
): SimulatedDisk {
  const operations: Operation[] = [];
  let hasPower = true;
  const mishapNow = (kind: Operation): Mishap | undefined => {
    const number = operations.push(kind);
    if (!hasPower) return 'power loss before';
    const befalls = ({ from, to, kinds = [kind] }: Incident) =>
      from <= number && number <= to && kinds.includes(kind);
    return incidents.find(befalls)?.mishap;
  };
  /** What every operation goes through, and the incidents befall. */
  const operate = async <Result>(kind: Operation, effect: () => Result, effectOfError?: () => Result) => {
    const mishap = mishapNow(kind);
    if (mishap === undefined) return effect();
    if (mishap === 'short write' && effectOfError) return effectOfError();
    if (mishap === 'power loss after') effect();
    else if (mishap !== 'power loss before') effectOfError?.();
    if (mishap.startsWith('power loss')) hasPower = false;
    throw systemError(mishap, kind);
  };

  let inodes = 0n;
  const newInode = (text: string): Inode => {
    inodes += 1n;
    return { ino: inodes, mtimeNs: 0n, changedAt: now(), text, durable: text, isDropped: false };
  };
  const entries: Entries = new Map(Object.entries(files).map(([path, text]) => [path, newInode(text)]));
  const directories = new Map([[DIRECTORY, newInode('')]]);
  const durable = new Map(entries);
  let unsynced: Step[] = [];

  const inodeAt = (path: string): Inode => {
    const inode = entries.get(path);
    if (!inode) throw systemError('ENOENT', path);
    return inode;
  };
  /** As that of a file, the mtime of a directory changes with what it holds. */
  const noteChange = (dir: string) => {
    const inode = directories.get(dir);
    if (inode) inode.mtimeNs += 1n;
  };
  const change = (path: string, apply: Step['apply']) => {
    apply(entries);
    noteChange(dirname(path));
    unsynced.push({ dir: dirname(path), apply });
  };
  const create = (path: string): Inode => {
    if (entries.has(path)) throw systemError('EEXIST', path);
    const inode = newInode('');
    change(path, entries => void entries.set(path, inode));
    return inode;
  };
  const rename = (from: string, to: string) => {
    const inode = inodeAt(from);
    change(to, entries => void (entries.delete(from) && entries.set(to, inode)));
  };
  const syncEntries = (dir: string) => {
    for (const step of unsynced) if (step.dir === dir) step.apply(durable);
    unsynced = unsynced.filter(step => step.dir !== dir);
  };
  const list = (dir: string) => {
    if (!directories.has(dir)) throw systemError(entries.has(dir) ? 'ENOTDIR' : 'ENOENT', dir);
    return [...entries.keys()].filter(path => dirname(path) === dir).map(path => basename(path));
  };
  const makeDirectories = (path: string) => {
    for (let dir = path; !directories.has(dir); dir = dirname(dir)) {
      if (entries.has(dir)) throw systemError('EEXIST', dir);
      directories.set(dir, newInode(''));
    }
  };
  for (const path of entries.keys()) makeDirectories(dirname(path));
  const write = (inode: Inode, text: string) => () => {
    inode.text += text;
    inode.mtimeNs += 1n;
    inode.changedAt = now();
  };
  const sync = (inode: Inode) => () => {
    if (!inode.isDropped) inode.durable = inode.text;
  };
  const drop = (inode: Inode) => () => {
    inode.isDropped = true;
  };
  const openInode = (inode: Inode): OpenFile => ({
    writeFile: content => {
      const text = Buffer.from(content).toString('latin1');
      return operate('writeFile', write(inode, text), write(inode, half(text)));
    },
    sync: () => operate('sync', sync(inode), drop(inode)),
    stat: () => operate('stat', () => statsOf(inode)),
    close: () => operate('close', () => {}),
  });
  const open = (path: string, flags: Parameters<Fs['open']>[1]): OpenFile => {
    // Nothing is dropped where the sync of a directory fails: its changes are written in order, or not at all.
    if (directories.has(path))
      return { ...openInode(newInode('')), sync: () => operate('sync', () => syncEntries(path)) };
    return openInode(flags === 'wx' ? create(path) : inodeAt(path));
  };

  return {
    operations,
    hasPower: () => hasPower,
    restart() {
      hasPower = true;
    },
    open: (path, flags) => operate('open', () => open(path, flags)),
    readFile: path => operate('readFile', () => Buffer.from(inodeAt(path).text, 'latin1')),
    readStart: path =>
      operate('readStart', () => (directories.has(path) ? undefined : startOf(inodeAt(path)))),
    async mkdtemp(prefix) {
      const path = `${prefix}${inodes}`;
      await operate('mkdtemp', () => makeDirectories(path));
      return path;
    },
    rm: dir =>
      operate('rm', () => {
        const isIn = (path: string) => path === dir || path.startsWith(`${dir}/`);
        // Whoever removes a directory is not who loses power.
        for (const path of [...entries.keys()].filter(isIn))
          for (const left of [entries, durable]) left.delete(path);
        for (const path of [...directories.keys()].filter(isIn)) directories.delete(path);
        noteChange(dirname(dir));
      }),
    readdir: path => operate('readdir', () => list(path)),
    mkdir: path => operate('mkdir', () => makeDirectories(path)),
    rename: (from, to) => operate('rename', () => rename(from, to)),
    unlink: path =>
      operate('unlink', () => inodeAt(path) && change(path, entries => void entries.delete(path))),
    stat: path => operate('stat', () => statsOf(directories.get(path) ?? inodeAt(path))),
    statfs: () => operate('statfs', () => ({ bsize: 1, blocks: 2 ** 40, bavail: 2 ** 40 })),
    found() {
      let left: Entries[] = [durable];
      for (const dir of new Set(unsynced.map(step => step.dir))) {
        const stepsLeft = prefixesOf(unsynced.filter(step => step.dir === dir));
        left = left.flatMap(before =>
          stepsLeft.map(steps => {
            const after = new Map(before);
            for (const { apply } of steps) apply(after);
            return after;
          }),
        );
      }
      return distinct(left.flatMap(filesOf));
    },
  };
}

export function distinct(found: Files[]): Files[] {
  return [...new Map(found.map(files => [JSON.stringify(Object.entries(files).sort()), files])).values()];
}

function systemError(code: string, what: string): Error {
  return Object.assign(new Error(`${code}: ${what}`), { code });
}

function startOf({ text, changedAt }: Inode) {
  return { bytes: Buffer.from(text, 'latin1'), changedAt };
}

function statsOf({ ino, text, mtimeNs, changedAt }: Inode) {
  const ctimeMs = BigInt(changedAt);
  return { dev: 1n, ino, size: BigInt(text.length), mtimeNs, ctimeNs: ctimeMs * 1_000_000n, ctimeMs };
}

function half(text: string): string {
  return text.slice(0, text.length / 2);
}

function prefixesOf<Item>(items: Item[]): Item[][] {
  return [[], ...items.map((_, last) => items.slice(0, last + 1))];
}

/** Every combination of what may be left of the files. */
function filesOf(entries: Entries): Files[] {
  let found: Files[] = [{}];
  for (const [path, inode] of entries)
    found = found.flatMap(files => textsOf(inode).map(text => ({ ...files, [path]: text })));
  return found;
}

/** What may be left of a file whose text was not synced: what was, and of the rest nothing, a part, zeros or all. */
function textsOf({ text, durable }: Inode): string[] {
  const rest = text.slice(durable.length);
  return rest === '' ? [text] : ['', half(rest), '\0'.repeat(rest.length), rest].map(left => durable + left);
}
