import { MARKDOWN_FOLDER } from '../contract/catalog-files.ts';
import type { Reporter } from '../contract/problems.ts';

/** A directory of catalog files: one of the file system, a set of the history, or files in memory. */
export interface Directory {
  name: string;
  /** Larger files are refused, and so are Markdown files that are larger together. */
  maxFileMb: number;
  /**
   * The paths of what is in it, in its folder of Markdown files and, some of them if there are many, one folder deeper.
   * Undefined, and reported, if it cannot be read. Reports the folder of Markdown files if that cannot be read.
   */
  list(report: Reporter): Promise<readonly string[] | undefined>;
  /** The first 64 kB of a file; undefined if it cannot be read. */
  peek(file: string): Promise<Buffer | undefined>;
  /** The bytes of a file, by its path in the directory; undefined, and reported, if it cannot be read or is too big. */
  read(file: string, report: Reporter): Promise<Buffer | undefined>;
  /** The names of the images beside the catalogs; undefined if they are not known, so that none counts as missing. */
  images(): Promise<ReadonlySet<string> | undefined>;
}

/** The name of a file in the folder of Markdown files, whether it is read or not; undefined for other paths. */
export function nameInFolder(path: string): string | undefined {
  const [folder, name, deeper] = path.split('/');
  return folder === MARKDOWN_FOLDER && deeper === undefined ? name : undefined;
}

/** What {@link Directory.peek} returns at most, in bytes. */
export const PEEKED_BYTES = 2 ** 16;

/** The message for a file of this size; undefined if it is not too big. */
export function tooBig(bytes: number, maxFileMb: number): string | undefined {
  if (bytes <= maxFileMb * 2 ** 20) return undefined;
  return `the file has ${Math.ceil(bytes / 2 ** 20)} MB, but only ${maxFileMb} MB are allowed: make it smaller, or ask your administrator to raise MAX_FILE_MB`;
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
    list: async () => paths,
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
  return {
    ...directory,
    async list(report) {
      const paths = await directory.list(report);
      return paths && [...new Set([...paths, ...files.keys()])].sort();
    },
    peek: async file => files.get(file)?.subarray(0, PEEKED_BYTES) ?? directory.peek(file),
    async read(file, report) {
      const content = files.get(file);
      if (!content) return directory.read(file, report);
      const message = tooBig(content.length, directory.maxFileMb);
      if (message === undefined) return content;
      report({ file }, 'FILE_TOO_BIG', message);
      return undefined;
    },
  };
}
