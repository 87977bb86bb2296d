import { readdir, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The images directory as it was listed. */
export interface ImageListing {
  names: ReadonlySet<string>;
  /** Its `imagesState` before that. */
  state: string;
}

/**
 * The files in the images directory: none if it does not exist, since a site may have no images; undefined if it does
 * not respond, such as a network mount whose server is gone.
 */
export function listImages(dir: string): Promise<ImageListing | undefined> {
  const list = async () => {
    const state = await imagesState(dir);
    return { state, names: new Set(await readdir(dir).catch(() => [])) };
  };
  return inTime(list());
}

/** Whether the images directory is still in this state; also if it does not respond. */
export async function isImagesState(dir: string, state: string): Promise<boolean> {
  const latest = await inTime(imagesState(dir));
  return latest === undefined || latest === state;
}

/** Differs after an image was added, removed or renamed, and after the directory was replaced. May never resolve. */
export async function imagesState(dir: string): Promise<string> {
  const stats = await stat(dir, { bigint: true }).catch((error: NodeJS.ErrnoException) => String(error.code));
  return typeof stats === 'string' ? stats : [stats.dev, stats.ino, stats.mtimeNs].join(' ');
}

/** In milliseconds. */
const TIMEOUT_MS = 2000;

function inTime<Value>(value: Promise<Value>): Promise<Value | undefined> {
  return Promise.race([value, delay(TIMEOUT_MS, undefined, { ref: false })]);
}
