import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { createDirectories } from '../files/atomic-write.ts';
import type { NewFiles } from '../formats/write/write.ts';
import { reasonOf } from '../messages.ts';
import { readSet, type SetReport } from '../reader/read-set.ts';
import { systemDirectory } from '../set/directory.ts';
import type { Settings } from '../settings/settings.ts';

/** Writes files into a new or empty folder, unless `check` throws at their report. @throws Error if the folder has files. */
export async function writeFolder(
  dir: string,
  files: NewFiles,
  settings: Settings,
  check: (report: SetReport) => void,
): Promise<void> {
  try {
    await createDirectories(dir);
    const [first] = (await readdir(dir)).filter(name => !name.startsWith('.'));
    if (first !== undefined) throw new Error(`it has files already, such as ${first}: name a new folder`);
  } catch (error) {
    throw new Error(`cannot write into ${dir}: ${reasonOf(error)}`);
  }
  await withDraft(dir, async draft => {
    for (const [name, content] of Object.entries(files)) {
      await createDirectories(dirname(join(draft, name)));
      await writeFile(join(draft, name), content);
    }
    check((await readSet(systemDirectory({ ...settings, catalogDir: draft }), settings)).report);
    for (const name of await readdir(draft)) await rename(join(draft, name), join(dir, name));
  });
}

/** The names of hidden folders on the same file system, in which files are written before they are moved. */
export const DRAFT = /^\.vitrine-[0-9a-f-]{36}$/;

/** Calls `write` with a new hidden folder in `dir`, and removes the folder afterwards. */
export async function withDraft<Result>(
  dir: string,
  write: (draft: string) => Promise<Result>,
): Promise<Result> {
  const draft = join(dir, `.vitrine-${randomUUID()}`);
  await mkdir(draft);
  try {
    return await write(draft);
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
