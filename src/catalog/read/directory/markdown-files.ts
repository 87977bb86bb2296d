import { isMarkdownName, MARKDOWN_FILES, markdownPath } from '../../../contract/catalog-files.ts';
import type { Reporter } from '../../../contract/problems.ts';
import { bundle, type NamedContent } from '../../../formats/markdown/markdown.ts';
import { type Directory, isTooBig } from './directory.ts';

/**
 * Reads the Markdown files among the names of the folder as one content, a {@link bundle}; undefined if there are none. Reports those that are
 * unreadable, and what is too big: one of them, or all of them together.
 */
export async function readMarkdownFiles(
  directory: Directory,
  names: readonly string[],
  report: Reporter,
): Promise<Buffer | undefined> {
  const files: NamedContent[] = [];
  let bytes = 0;
  for (const name of names.filter(isMarkdownName).sort()) {
    const content = await directory.read(markdownPath(name), report);
    if (content) files.push({ name, content });
    bytes += content?.length ?? 0;
    if (!isTooBig(bytes, directory)) continue;
    const message = `these files have more than ${directory.maxFileMb} MB together: delete some, or ask your administrator to raise MAX_FILE_MB`;
    report({ file: MARKDOWN_FILES }, 'FILE_TOO_BIG', message);
    return undefined;
  }
  return files.length > 0 ? bundle(files) : undefined;
}
