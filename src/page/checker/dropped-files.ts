import { type Directory, isTooBig, tooBig } from '../../catalog/read/directory/directory.ts';
import { MARKDOWN_FOLDER, markdownPath } from '../../contract/catalog-files.ts';
import type { DroppedFile } from './protocol.ts';

/** The most that a file may have, in MB: what a service reads by default. */
const MAX_FILE_MB = 64;

/** Dropped files as a directory, which hands out each file once. */
export function droppedDirectory(files: readonly DroppedFile[]): Directory {
  const contents = new Map(files.map(({ path, bytes }) => [placeOf(path), bytes]));
  const paths = [...contents.keys()];
  const folder = markdownPath('');
  return {
    name: 'the files',
    maxFileMb: MAX_FILE_MB,
    list: async () => paths.filter(path => !path.includes('/')),
    listMarkdown: async () =>
      paths.filter(path => path.startsWith(folder)).map(path => path.slice(folder.length)),
    async read(file, report) {
      const bytes = contents.get(file);
      contents.delete(file);
      if (!bytes) return undefined;
      if (!isTooBig(bytes.byteLength, this)) return Buffer.from(bytes);
      report({ file }, 'FILE_TOO_BIG', tooBig(bytes.byteLength, this));
      return undefined;
    },
  };
}

/** The path that a file would have among the catalogs: a text without a folder is a news item. */
function placeOf(path: string): string {
  const [name = '', folder] = path.split('/').filter(Boolean).reverse();
  const isText = folder === undefined ? /\.md$/i.test(name) : folder === MARKDOWN_FOLDER;
  return isText ? markdownPath(name) : name;
}
