import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import {
  isMarkdownName,
  MARKDOWN_FILES,
  MARKDOWN_FOLDER,
  markdownPath,
} from '../../../contract/catalog-files.ts';
import type { Reporter } from '../../problems/problems.ts';
import { bundle, type NamedContent } from '../markdown/bundle.ts';
import { BYTES_PER_MB, readContent } from './content.ts';

/** The names in the folder of Markdown files; none if there is no such folder. @throws if it cannot be read. */
export async function markdownFolder(dir: string): Promise<string[]> {
  return readdir(join(dir, MARKDOWN_FOLDER)).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ENOENT' && error.code !== 'ENOTDIR') throw error;
    return [];
  });
}

/**
 * Reads the Markdown files among the names of the folder as one content, a {@link bundle}; undefined if there are none. Reports those that are
 * unreadable, and what is larger than `maxFileMb`: one of them, or all of them together.
 */
export async function readMarkdownFiles(
  dir: string,
  names: readonly string[],
  maxFileMb: number,
  report: Reporter,
): Promise<Buffer | undefined> {
  const files: NamedContent[] = [];
  let bytes = 0;
  for (const name of names.filter(isMarkdownName).sort()) {
    const content = await readContent(dir, markdownPath(name), maxFileMb, report);
    if (content) files.push({ name, content });
    bytes += content?.length ?? 0;
    if (bytes <= maxFileMb * BYTES_PER_MB) continue;
    const message = `these files have more than ${maxFileMb} MB together: delete some, or ask your administrator to raise MAX_FILE_MB`;
    report({ file: MARKDOWN_FILES }, 'FILE_TOO_BIG', message);
    return undefined;
  }
  return files.length > 0 ? bundle(files) : undefined;
}
