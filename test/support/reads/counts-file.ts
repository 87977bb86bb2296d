import type { TestContext } from 'node:test';
import { countsPath, openCountsFile } from '../../../src/reads/file/file-counter.ts';
import { type Files, writeFiles } from '../catalogs.ts';
import { keepingLog } from './stores.ts';

/** The name of a counts file. */
export const NAME = 'read-counts.json';

/** A counts file in a state directory with these files; `open` opens it as the next process does. */
export async function startCountsFile(t: TestContext, files: Files = {}) {
  const dir = await writeFiles(t, files);
  const log = keepingLog();
  const open = () => openCountsFile(dir, log);
  return { dir, path: countsPath(dir), messages: log.messages, open, file: open() };
}
