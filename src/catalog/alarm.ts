/** Wakes one who waits: at regular times, and earlier when it is rung. */
export interface Alarm {
  /** Ends the wait; where nobody waits, the next one ends at once. */
  ring(): void;
  wait(): Promise<void>;
}

/** Does not keep the process alive. */
export function openAlarm(intervalMs: number): Alarm {
  let rung = false;
  let wake: (() => void) | undefined;
  return {
    ring() {
      rung = true;
      wake?.();
    },
    async wait() {
      if (!rung) {
        await new Promise<void>(resolve => {
          const timer = setTimeout(resolve, intervalMs).unref();
          wake = () => {
            clearTimeout(timer);
            resolve();
          };
        });
      }
      rung = false;
      wake = undefined;
    },
  };
}
