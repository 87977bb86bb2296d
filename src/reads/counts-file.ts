import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { join } from 'node:path';

/** Read counts by news id. */
export type Counts = Map<number, number>;

/** The part of a logger that counting needs. */
export interface Log {
  error(message: string): void;
}

const FILE = 'read-counts.json';
const FORMAT = 1;

/** Where the counts survive the process: `read-counts.json` in the state directory. */
export interface CountsFile {
  load(): Promise<Counts>;
  /** Once it resolves, the counts survive a crash of the machine. It must not be called again before. */
  save(counts: Counts): Promise<void>;
}

/** @throws Error where the state directory cannot be made. */
export async function openCountsFile(stateDir: string, log: Log): Promise<CountsFile> {
  await mkdir(stateDir, { recursive: true }).catch(error => {
    throw new Error(`the state directory ${stateDir} cannot be made: ${error.message}`);
  });
  const path = join(stateDir, FILE);
  return {
    load: () => load(path, log),
    async save(counts) {
      const text = JSON.stringify({ format: FORMAT, counts: Object.fromEntries(counts) }, null, 2);
      await writeSynced(`${path}.tmp`, `${text}\n`);
      await rename(`${path}.tmp`, path);
      await syncDirectory(stateDir);
    },
  };
}

/** No file is a fresh start; one that cannot be read is kept under another name, so that nothing overwrites it. */
async function load(path: string, log: Log): Promise<Counts> {
  try {
    return parseCounts(await readFile(path, 'utf8'));
  } catch (error) {
    if (isMissing(error)) return new Map();
    const aside = `${path}.unreadable-${new Date().toISOString().replaceAll(':', '')}`;
    await rename(path, aside);
    log.error(
      `the read counts in ${path} cannot be read (${error}): they start anew, the file is kept as ${aside}`,
    );
    return new Map();
  }
}

function parseCounts(text: string): Counts {
  const { format, counts }: { format?: unknown; counts?: unknown } = JSON.parse(text);
  if (format !== FORMAT) throw new Error(`format is ${JSON.stringify(format)} and not ${FORMAT}`);
  if (typeof counts !== 'object' || counts === null) throw new Error('there are no counts in it');
  const entries = Object.entries(counts).map(([id, count]) => [Number(id), count] as const);
  const wrong = entries.find(numbers => !numbers.every(number => Number.isSafeInteger(number) && number > 0));
  if (wrong) throw new Error(`${wrong.join(': ')} is no count of a news id`);
  return new Map(entries);
}

async function writeSynced(path: string, text: string): Promise<void> {
  const file = await open(path, 'w');
  try {
    await file.writeFile(text);
    await file.sync();
  } finally {
    await file.close();
  }
}

/** Makes a rename in the directory survive a crash. */
async function syncDirectory(dir: string): Promise<void> {
  const handle = await open(dir, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

function isMissing(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOENT';
}
