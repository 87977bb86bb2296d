import { basename } from 'node:path';
import { watch } from 'chokidar';
import { catalogFileNames } from '../../contract/catalog-files.ts';
import { catalogLike } from '../read/directory/look-alikes.ts';
import { controlNames } from './control-files.ts';

/**
 * Calls `onChange` soon after something in a directory may have changed, until it is closed. An event is only a hint: no
 * system reports swapped links or directories that come back, and some report nothing. Does not keep the process alive.
 */
export type ChangeEvents = (dir: string, onChange: () => void) => { close(): Promise<void> };

/** Each takes a watch of the system; polling finds changes of the others. */
const MAX_LOOK_ALIKES = 50;

/** chokidar reports only the first of changes that follow within 5 ms, such as the truncation before a write. */
const SECOND_CALL_MS = 100;

/**
 * Events from the file system. Each calls `onChange` at once, and again when the change should be complete. Errors are
 * ignored: polling finds every change.
 */
export const fileSystemEvents: ChangeEvents = (dir, onChange) => {
  const lookAlikes = new Set<string>();
  const isWatched = (name: string) => {
    if (isKnown(name) || lookAlikes.has(name)) return true;
    const isLookAlike = lookAlikes.size < MAX_LOOK_ALIKES && catalogLike(name) !== undefined;
    if (isLookAlike) lookAlikes.add(name);
    return isLookAlike;
  };
  let second: NodeJS.Timeout | undefined;
  const onEvent = () => {
    onChange();
    clearTimeout(second);
    second = setTimeout(() => !watcher.closed && onChange(), SECOND_CALL_MS).unref();
  };
  const watcher = watch(dir, {
    depth: 0,
    ignored: (path, stats) => stats?.isFile() === true && !isWatched(basename(path)),
    ignoreInitial: true,
    ignorePermissionErrors: true,
    persistent: false,
  });
  return (
    watcher
      .on('all', onEvent)
      // What changed before that was not watched yet.
      .on('ready', onEvent)
      .on('error', () => {})
  );
};

function isKnown(name: string): boolean {
  return catalogFileNames.has(name) || controlNames.some(control => control === name);
}
