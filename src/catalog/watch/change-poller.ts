/** Decides when to check the files again: at a fixed interval, and at once when something says that they changed. */
export interface ChangePoller {
  /** Makes the next poll due at once. */
  pollNow(): void;
  /** Resolves when the next poll is due. So many files were looked at in the last one. */
  nextPoll(fileCount?: number): Promise<void>;
}

/** The shortest pause after a look at a file, in milliseconds. A look takes about 0.05 ms of CPU time. */
const PAUSE_MS = 2.5;

/** Its timer does not keep the process alive. */
export function openChangePoller(intervalMs: number): ChangePoller {
  let isDue = false;
  let wake: (() => void) | undefined;
  return {
    pollNow() {
      isDue = true;
      wake?.();
    },
    async nextPoll(fileCount = 0) {
      if (!isDue) {
        await new Promise<void>(resolve => {
          const pauseMs = Math.max(intervalMs, fileCount * PAUSE_MS);
          const timer = setTimeout(resolve, pauseMs).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      isDue = false;
      wake = undefined;
    },
  };
}
