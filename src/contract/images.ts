import { extname } from 'node:path';

/** The kinds of image that are served, by file extension. */
export const imageKinds = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'avif', 'svg'] as const;
export type ImageKind = (typeof imageKinds)[number];

/** The kind of an image by its file name, in any letter case; undefined for other files. */
export function imageKind(name: string): ImageKind | undefined {
  const extension = extname(name).slice(1).toLowerCase();
  return imageKinds.find(kind => kind === extension);
}

/** The names that an image's file may have: its own, and the same in other Unicode forms, as macOS writes names. */
export function imageFileNames(name: string): string[] {
  return [...new Set([name, name.normalize('NFC'), name.normalize('NFD')])];
}

/** Whether the file of an image is among these names. */
export function hasImage(names: ReadonlySet<string>, image: string): boolean {
  return imageFileNames(image).some(file => names.has(file));
}
