import { isMarkdownName, MARKDOWN_FOLDER, markdownPath } from '../contract/catalog-files.ts';
import type { Reporter } from '../contract/problems.ts';

/** A directory of catalog files: one of the file system, a set of the history, or files in memory. */
export interface Directory {
  /** Its path or another name, for messages. */
  name: string;
  /** Larger files are refused, and so are Markdown files that are larger together. */
  maxFileMb: number;
  /** The names in it; undefined, and reported, if it cannot be read. */
  list(report: Reporter): Promise<readonly string[] | undefined>;
  /** The names in its folder of Markdown files; none, and reported, if that cannot be read. */
  listMarkdown(report: Reporter): Promise<readonly string[]>;
  /** The paths of the files one folder deeper, in it and in its folder of Markdown files; some of them, if there are many. */
  listDeeper(): Promise<readonly string[]>;
  /** The first 64 kB of a file; undefined if it cannot be read. */
  peek(file: string): Promise<Buffer | undefined>;
  /** The bytes of a file, by its path in the directory; undefined, and reported, if it cannot be read or is too big. */
  read(file: string, report: Reporter): Promise<Buffer | undefined>;
  /** The names of the images beside the catalogs; undefined if they are not known, so that none counts as missing. */
  images(): Promise<ReadonlySet<string> | undefined>;
}

/** What {@link Directory.peek} returns at most, in bytes. */
export const PEEKED_BYTES = 2 ** 16;

const BYTES_PER_MB = 1024 * 1024;

export function isTooBig(bytes: number, { maxFileMb }: Pick<Directory, 'maxFileMb'>): boolean {
  return bytes > maxFileMb * BYTES_PER_MB;
}

/** The message for a file that is too big. */
export function tooBig(bytes: number, { maxFileMb }: Pick<Directory, 'maxFileMb'>): string {
  return `the file has ${Math.ceil(bytes / BYTES_PER_MB)} MB, but only ${maxFileMb} MB are allowed: make it smaller, or ask your administrator to raise MAX_FILE_MB`;
}

/**
 * Files in memory by their paths, such as `news.csv` or `news/7-open.md`. Each is read once, and forgotten then, so that it
 * does not stay in memory besides its rows.
 */
export function memoryDirectory(
  name: string,
  files: ReadonlyMap<string, Buffer>,
  images: Directory['images'] = async () => undefined,
): Directory {
  const left = new Map(files);
  const paths = [...files.keys()];
  return {
    name,
    maxFileMb: Number.POSITIVE_INFINITY,
    list: async () => paths.filter(path => !path.includes('/')),
    listMarkdown: async () =>
      paths.flatMap(path => {
        const [folder, text = '', ...deeper] = path.split('/');
        return folder === MARKDOWN_FOLDER && isMarkdownName(text) && deeper.length === 0 ? [text] : [];
      }),
    listDeeper: async () => [],
    peek: async file => left.get(file)?.subarray(0, PEEKED_BYTES),
    async read(file) {
      const content = left.get(file);
      left.delete(file);
      return content;
    },
    images,
  };
}

/** A directory with files in place of their namesakes. */
export function overlaid(directory: Directory, files: ReadonlyMap<string, Buffer>): Directory {
  const folder = markdownPath('');
  const paths = [...files.keys()];
  const texts = paths.filter(path => path.startsWith(folder)).map(path => path.slice(folder.length));
  const others = paths.filter(path => !path.startsWith(folder));
  const merged = (names: readonly string[], more: readonly string[]) =>
    [...new Set([...names, ...more])].sort();
  return {
    ...directory,
    async list(report) {
      const names = await directory.list(report);
      return names && merged(names, others);
    },
    listMarkdown: async report => merged(await directory.listMarkdown(report), texts),
    peek: async file => files.get(file)?.subarray(0, PEEKED_BYTES) ?? directory.peek(file),
    async read(file, report) {
      const content = files.get(file);
      if (!content) return directory.read(file, report);
      if (!isTooBig(content.length, directory)) return content;
      report({ file }, 'FILE_TOO_BIG', tooBig(content.length, directory));
      return undefined;
    },
  };
}
