import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { NewFiles } from '../catalog/write/forms.ts';
import { reasonOf } from '../messages.ts';

/**
 * Writes files into a folder that is new or empty, hidden ones aside: all of them, or none if `check`, which looks at them
 * before, throws. @throws Error if the folder has files, or cannot be written.
 */
export async function writeFolder(
  dir: string,
  files: NewFiles,
  check: (dir: string) => Promise<void>,
): Promise<void> {
  try {
    await mkdir(dir, { recursive: true });
    const [first] = (await readdir(dir)).filter(name => !name.startsWith('.'));
    if (first !== undefined) throw new Error(`it has files already, such as ${first}: name a new folder`);
  } catch (error) {
    throw new Error(`cannot write into ${dir}: ${reasonOf(error)}`);
  }
  const draft = join(dir, `.vitrine-${randomUUID()}`);
  try {
    for (const [name, content] of Object.entries(files)) {
      await mkdir(dirname(join(draft, name)), { recursive: true });
      await writeFile(join(draft, name), content);
    }
    await check(draft);
    for (const name of await readdir(draft)) await rename(join(draft, name), join(dir, name));
  } finally {
    await rm(draft, { recursive: true, force: true });
  }
}
