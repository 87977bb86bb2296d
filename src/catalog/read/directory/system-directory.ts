import type { Stats } from 'node:fs';
import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { MARKDOWN_FOLDER } from '../../../contract/catalog-files.ts';
import type { Reporter } from '../../../contract/problems.ts';
import { type Directory, isTooBig, tooBig } from './directory.ts';
import { fileError, folderError } from './system-errors.ts';

/** The directory at a path of the file system. */
export function systemDirectory(path: string, maxFileMb: number): Directory {
  return {
    name: path,
    maxFileMb,
    async list(report) {
      const names = await readdir(path).catch(error =>
        report({ file: path }, 'NO_DIRECTORY', folderError(error)),
      );
      return names ?? undefined;
    },
    async listMarkdown(report) {
      const names = await markdownFolder(path).catch(error =>
        report({ file: MARKDOWN_FOLDER }, 'UNREADABLE_FILE', folderError(error)),
      );
      return names ?? [];
    },
    read: (file, report) => readContent(join(path, file), file, maxFileMb, report),
  };
}

/** The names in the folder of Markdown files; none if there is no such folder. @throws if it cannot be read. */
export async function markdownFolder(dir: string): Promise<string[]> {
  return readdir(join(dir, MARKDOWN_FOLDER)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return [];
  });
}

async function readContent(
  path: string,
  file: string,
  maxFileMb: number,
  report: Reporter,
): Promise<Buffer | undefined> {
  try {
    const stats = await stat(path);
    // Reading a named pipe could block forever.
    if (!stats.isFile()) report({ file }, 'UNREADABLE_FILE', notAFile(stats));
    else if (isTooBig(stats.size, { maxFileMb }))
      report({ file }, 'FILE_TOO_BIG', tooBig(stats.size, { maxFileMb }));
    else return await readFile(path);
  } catch (error) {
    report({ file }, 'UNREADABLE_FILE', fileError(error));
  }
  return undefined;
}

function notAFile(stats: Stats): string {
  const what = stats.isDirectory() ? 'a folder' : 'a pipe or a device';
  return `this is ${what}, not a file: rename or move it, and put the file here under this name`;
}
