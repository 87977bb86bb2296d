import type { Log } from '../log.ts';
import type { Exchange } from './exchange.ts';
import type { Outbox } from './outbox.ts';

/** For how long a request waits for Redis, in milliseconds. */
export const PATIENCE_MS = 250;

/** One exchange with Redis after the other; see `openTalk`. */
export interface Talk {
  /** Sends what there is to send. Resolves when nothing is left, or Redis is in trouble; it never rejects. */
  send(): Promise<void>;
  /** The same, after it has learned what others have counted. */
  refresh(): Promise<void>;
  /** What is wrong with Redis; undefined where all is well. */
  trouble(): string | undefined;
}

/**
 * Talks to Redis as long as there is something to send. Where it does not answer in time or fails, all who wait are
 * told that nobody knows their count for now, and the log is; the next call tries again.
 */
export function openTalk(exchange: Exchange, outbox: Outbox, log: Log): Talk {
  let trouble: string | undefined;
  let isRefreshDue = false;
  let talking: Promise<void> | undefined;

  const fail = (reason: string) => {
    if (!trouble) {
      log.error(`Redis is in trouble (${reason}): reads are counted here, to be sent when it answers`);
    }
    trouble = reason;
    outbox.giveUp();
  };
  const recover = () => {
    if (trouble) log.info('Redis answers again');
    trouble = undefined;
  };
  /** Who has waited since `start`, in milliseconds of `performance.now()`, is told in time. */
  const patiently = async (exchanged: Promise<void>, start: number) => {
    const reason = `no answer for ${PATIENCE_MS} ms`;
    const timer = setTimeout(fail, start + PATIENCE_MS - performance.now(), reason);
    await exchanged.finally(() => clearTimeout(timer));
  };
  const talk = async () => {
    let start = performance.now();
    for (;;) {
      const batch = isRefreshDue ? undefined : outbox.next();
      if (!isRefreshDue && !batch) return recover();
      isRefreshDue = false;
      const sent = performance.now();
      await patiently(batch ? exchange.deliver(batch) : exchange.refresh(), start);
      // Who waits now has come since it was sent; or since now, where that took too long and all were given up.
      start = trouble ? performance.now() : sent;
      if (batch) recover();
    }
  };
  const send = () => {
    talking ??= talk()
      .catch(error => fail(error.message))
      .finally(() => (talking = undefined));
    return talking;
  };
  return {
    send,
    refresh() {
      isRefreshDue = true;
      return send();
    },
    trouble: () => trouble,
  };
}
