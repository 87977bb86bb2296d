import { basename, dirname, resolve } from 'node:path';
import { watch } from 'chokidar';
import { catalogFileNames, isMarkdownName, MARKDOWN_FOLDER } from '../../contract/catalog-files.ts';
import { catalogLike } from '../../set/look-alikes.ts';
import { controlNames } from './control-files.ts';

/**
 * Calls `onChange` soon after something in a directory may have changed, until it is closed. An event is only a hint: no
 * system reports swapped links or directories that come back, and some report nothing. Does not keep the process alive.
 */
export type ChangeEvents = (dir: string, onChange: () => void) => { close(): Promise<void> };

/** Each takes a watch of the system; polling finds changes of the others. */
const MAX_LOOK_ALIKES = 50;
const MAX_MARKDOWN = 1_000;

/** chokidar reports only the first of changes that follow within 5 ms, such as the truncation before a write. */
const SECOND_CALL_MS = 100;

/**
 * Events from the file system. Each calls `onChange` at once, and again when the change should be complete. Errors are
 * ignored: polling finds every change.
 */
export const fileSystemEvents: ChangeEvents = (dir, onChange) => {
  const folder = resolve(dir, MARKDOWN_FOLDER);
  const lookAlikes = openLimit(MAX_LOOK_ALIKES);
  const markdown = openLimit(MAX_MARKDOWN);
  const isWatched = (path: string) => {
    const name = basename(path);
    if (resolve(dirname(path)) === folder) return isMarkdownName(name) && markdown.admits(name);
    return isKnown(name) || (catalogLike(name) !== undefined && lookAlikes.admits(name));
  };
  let second: NodeJS.Timeout | undefined;
  const onEvent = () => {
    onChange();
    clearTimeout(second);
    second = setTimeout(() => !watcher.closed && onChange(), SECOND_CALL_MS).unref();
  };
  const watcher = watch([dir, folder], {
    depth: 0,
    ignored: (path, stats) => stats?.isFile() === true && !isWatched(path),
    ignoreInitial: true,
    ignorePermissionErrors: true,
    persistent: false,
  });
  return (
    watcher
      .on('all', onEvent)
      .on('addDir', path => resolve(path) === folder && watcher.add(folder))
      // What changed before that was not watched yet.
      .on('ready', onEvent)
      .on('error', () => {})
  );
};

/** Admits so many names, each any number of times. */
function openLimit(max: number) {
  const names = new Set<string>();
  return {
    admits(name: string): boolean {
      if (names.size < max) names.add(name);
      return names.has(name);
    },
  };
}

function isKnown(name: string): boolean {
  return catalogFileNames.has(name) || controlNames.some(control => control === name);
}
