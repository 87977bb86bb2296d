import { MARKDOWN_FOLDER, markdownPath } from '../../contract/catalog-files.ts';
import { type Directory, isTooBig, PEEKED_BYTES, tooBig } from '../../set/directory.ts';
import type { DroppedFile } from './protocol.ts';

/** The most that a file may have, in MB: what a service reads by default. */
const MAX_FILE_MB = 64;

/** Dropped files as a directory, which hands out each file once. */
export function droppedDirectory(files: readonly DroppedFile[]): Directory {
  const contents = new Map<string, ArrayBuffer>();
  for (const { path, bytes } of files) {
    const place = placeOf(path);
    if (place !== undefined) contents.set(place, bytes);
  }
  const paths = [...contents.keys()];
  const folder = markdownPath('');
  return {
    name: 'the files',
    maxFileMb: MAX_FILE_MB,
    list: async () => paths.filter(path => !path.includes('/')),
    listMarkdown: async () =>
      paths.filter(path => path.startsWith(folder)).map(path => path.slice(folder.length)),
    // Files of other folders have no place.
    listDeeper: async () => [],
    images: async () => undefined,
    peek: async file => {
      const bytes = contents.get(file);
      return bytes && Buffer.from(bytes.slice(0, PEEKED_BYTES));
    },
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

/**
 * The path that a file would have among the catalogs, if it is dropped alone, in their folder, or in that of the Markdown
 * files. A text alone is a news item. Undefined in another folder of their folder, such as one of old copies.
 */
function placeOf(path: string): string | undefined {
  const [name = '', folder, ...others] = path.split('/').filter(Boolean).reverse();
  const isText = folder === undefined ? /\.md$/i.test(name) : folder === MARKDOWN_FOLDER;
  if (others.length > (isText ? 1 : 0)) return undefined;
  return isText ? markdownPath(name) : name;
}
