import { readdir, stat } from 'node:fs/promises';
import { setTimeout as delay } from 'node:timers/promises';

/** The images directory as it was listed. */
export interface ImageListing {
  names: ReadonlySet<string>;
  /** Differs after an image was added, removed or renamed, and after the directory was replaced. */
  state: string;
}

/** In milliseconds. */
const TIMEOUT_MS = 2000;

/**
 * The files in the images directory: none if it does not exist, since a site may have no images; undefined if it does
 * not respond, such as a network mount whose server is gone.
 */
export async function imageNames(dir: string): Promise<ReadonlySet<string> | undefined> {
  const timeout = delay(TIMEOUT_MS, undefined, { ref: false });
  return (await Promise.race([listChanged(dir, undefined), timeout]))?.names;
}

/** Lists the images directory, unless it is still in this state. May never resolve. */
export async function listChanged(
  dir: string,
  lastState: string | undefined,
): Promise<ImageListing | undefined> {
  const stats = await stat(dir, { bigint: true }).catch((error: NodeJS.ErrnoException) => String(error.code));
  const state = typeof stats === 'string' ? stats : [stats.dev, stats.ino, stats.mtimeNs].join(' ');
  if (state === lastState) return undefined;
  return { state, names: new Set(await readdir(dir).catch(() => [])) };
}
