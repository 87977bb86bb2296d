import type { Log } from '../messages.ts';
import { formatProgress, type Progress } from '../reader/progress.ts';

/** A set that is read faster needs no line, in milliseconds. */
const FIRST_MS = 2_000;
/** Between two lines, in milliseconds. */
const NEXT_MS = 10_000;

/** How far the reading of a set is, for the status and, if it takes long, for the log. */
export interface ReadingLog {
  /** Undefined when no set is being read. */
  progress(): Progress | undefined;
  /** Begins with a set, or again from its beginning. */
  begin(): void;
  onProgress(progress: Progress): void;
  end(): void;
}

export function openReadingLog(log: Log): ReadingLog {
  let progress: Progress | undefined;
  let timer: NodeJS.Timeout | undefined;
  const stop = () => {
    clearTimeout(timer);
    timer = undefined;
  };
  const show = () => {
    if (!progress) return;
    // On a terminal, the next line replaces this one.
    log.info(`reading the catalogs: ${formatProgress(progress)}`, { isProgress: true, ...progress });
    timer = setTimeout(show, NEXT_MS).unref();
  };
  return {
    progress: () => progress,
    begin() {
      stop();
      progress = { rows: 0, percent: 0 };
    },
    onProgress(latest) {
      progress = latest;
      timer ??= setTimeout(show, FIRST_MS).unref();
    },
    end() {
      stop();
      progress = undefined;
    },
  };
}
