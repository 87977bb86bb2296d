import { watch } from 'chokidar';

/**
 * Calls `onHint` soon after something in a directory may have changed, until it is closed. That is all: the system
 * tells nothing of swapped links and of directories that come back, and may tell nothing at all. Does not keep the
 * process alive.
 */
export type Hints = (dir: string, onHint: () => void) => { close(): Promise<void> };

/** Hints from the system's own notices. Where it has none to give, there are none. */
export const systemHints: Hints = (dir, onHint) =>
  watch(dir, { depth: 0, ignoreInitial: true, ignorePermissionErrors: true, persistent: false })
    .on('all', onHint)
    .on('error', () => {});
