import { readdir } from 'node:fs/promises';
import { extname } from 'node:path';

/** The kinds of image that are served, by the end of the file's name, in any case. */
export const imageKinds = ['png', 'jpg', 'jpeg', 'webp', 'gif', 'avif', 'svg'] as const;

/** Whether a file name is that of an image of these kinds. */
export function isImageName(name: string): boolean {
  const kind = extname(name).slice(1).toLowerCase();
  return imageKinds.some(known => known === kind);
}

/** The files in the images directory; none where there is no such directory, as on a site without images. */
export async function imageNames(dir: string): Promise<Set<string>> {
  return new Set(await readdir(dir).catch(() => []));
}
