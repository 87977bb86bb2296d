/** Decides when to check the files again: at a fixed interval, and at once when something says that they changed. */
export interface ChangePoller {
  /** Makes the next poll due at once. */
  pollNow(): void;
  /** Resolves when the next poll is due. */
  nextPoll(): Promise<void>;
}

/** Its timer does not keep the process alive. */
export function openChangePoller(intervalMs: number): ChangePoller {
  let isDue = false;
  let wake: (() => void) | undefined;
  return {
    pollNow() {
      isDue = true;
      wake?.();
    },
    async nextPoll() {
      if (!isDue) {
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, intervalMs).unref();
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
