import { basename, dirname, normalize } from 'node:path/posix';
import {
  catalogFileNames,
  imageType,
  isMarkdownName,
  MARKDOWN_FOLDER,
  markdownPath,
} from '../contract/catalog-files.ts';
import type { Problem } from '../contract/problems.ts';
import type { SentFile } from '../set/directory.ts';
import { catalogLike } from '../set/look-alikes.ts';

export interface FormReport {
  /** Whether the form has all files of the catalog folder. */
  isComplete: boolean;
  files: number;
  catalogFiles: number;
  /** The files that are not read, by the paths in the form, and why. */
  notRead: { file: string; message: string }[];
}

/** Parses a form (RFC 7578). Each of `names` is a size in bytes, a space and a path. @throws Error if it is none. */
export async function readForm(body: Buffer, contentType: string) {
  const form = await new Response(body, { headers: { 'content-type': contentType } }).formData();
  const files: SentFile[] = [];
  for (const name of form.getAll('names')) {
    const [, bytes = '', path = ''] = /^(\d+) (.+)$/s.exec(String(name)) ?? [];
    const content = bytes === '0' ? Buffer.alloc(0) : undefined;
    if (path) files.push({ path, bytes: Number(bytes), content });
  }
  for (const file of form.getAll('files')) {
    if (typeof file === 'string') continue;
    const content = Buffer.from(await file.arrayBuffer());
    files.push({ path: file.name, bytes: content.length, content });
  }
  return { files, isComplete: form.get('complete') === 'true' };
}

/** Returns the files by their paths in the catalog folder. The last of two namesakes counts. A single text is a news item. */
export function filesByPath(files: readonly SentFile[]): Map<string, SentFile> {
  const paths = files.map(({ path }) => normalize(`/${path}`).slice(1));
  const folder = catalogFolder(paths);
  const placeOf = (path: string) => {
    if (/^[^/]*\.(?:md|markdown)$/i.test(path)) return markdownPath(path);
    if (!folder) return path;
    return path.startsWith(`${folder}/`) ? path.slice(folder.length + 1) : `../${path}`;
  };
  return new Map(files.map((file, index) => [placeOf(paths[index] ?? ''), file]));
}

/**
 * Finds the folder with the catalogs' files or, without one, with files that look like them: the least deep one, but none
 * that is set aside if there is another.
 */
function catalogFolder(paths: readonly string[]): string {
  const isText = (path: string) => MARKDOWN_PATH.test(path) && isMarkdownName(basename(path));
  const isRead = (path: string) => catalogFileNames.has(basename(path)) || isText(path);
  const found = paths.some(isRead) ? paths.filter(isRead) : paths.filter(path => catalogLike(basename(path)));
  const folders = found.map(path => dirname(`/${isText(path) ? dirname(path) : path}`).slice(1));
  const weight = (folder: string) =>
    (SET_ASIDE.test(folder) ? 1000 : 0) + folder.split('/').length * 2 - (folder ? 0 : 1);
  return folders.sort((one, other) => weight(one) - weight(other))[0] ?? '';
}

const MARKDOWN_PATH = new RegExp(`(?:^|/)${MARKDOWN_FOLDER}/[^/]*$`);
const SET_ASIDE = /(?:^|\/)(?!\.\.\/)[._~#]|\.draft\.(?:md|markdown)$/i;

/** Says why a file is not read. `place` is its path in the catalog folder, if it has one. */
export function whyNotRead(place: string | undefined, problems: readonly Problem[]): string {
  if (place === undefined) return 'this file is not read: another of these files takes its place';
  const problem = problems.find(({ file, files = [file] }) => files.includes(place));
  if (problem) return problem.message;
  if (SET_ASIDE.test(place)) return 'drafts and names that begin with . _ ~ or # are not read';
  if (imageType(place)) return 'this image is not read: no news item names it';
  return 'this file is not read: it is not one of the files of the catalog folder';
}
