import type { Log } from '../../messages.ts';
import type { Outbox } from './outbox.ts';
import type { Sync } from './sync.ts';

/** How long a request waits for Redis, in milliseconds. */
export const PATIENCE_MS = 250;

export interface Sender {
  /** Sends all batches. Resolves when none is left or Redis fails; never rejects. */
  send(): Promise<void>;
  /** The same, after a refresh of the counts. */
  refresh(): Promise<void>;
  /** Why Redis failed last; undefined if it works. */
  fault(): string | undefined;
}

/**
 * Sends batch after batch while the outbox has any. If Redis fails or is too slow, all waiting requests go on without a
 * count, and the next call retries.
 */
export function openSender(sync: Sync, outbox: Outbox, log: Log): Sender {
  let fault: string | undefined;
  let isRefreshDue = false;
  let sending: Promise<void> | undefined;

  const fail = (reason: string) => {
    if (!fault) log.error(`cannot count in Redis (${reason}): counting here until it works again`);
    fault = reason;
    outbox.giveUp();
  };
  const recover = () => {
    if (fault) log.info('counting in Redis again');
    fault = undefined;
  };
  /** Fails if the call takes longer than requests wait that came at `start`, by `performance.now()`. */
  const limit = async (call: Promise<void>, start: number) => {
    const reason = `no answer for ${PATIENCE_MS} ms`;
    const timer = setTimeout(fail, start + PATIENCE_MS - performance.now(), reason);
    await call.finally(() => clearTimeout(timer));
  };
  const sendAll = async () => {
    let start = performance.now();
    for (;;) {
      const batch = isRefreshDue ? undefined : outbox.next();
      if (!isRefreshDue && !batch) return recover();
      isRefreshDue = false;
      const sent = performance.now();
      await limit(batch ? sync.deliver(batch) : sync.refresh(), start);
      // The requests that wait now came after `sent`; after a fault they came after `giveUp`, so start anew.
      start = fault ? performance.now() : sent;
      if (batch) recover();
    }
  };
  const send = () => {
    sending ??= sendAll()
      .catch(error => fail(error.message))
      .finally(() => (sending = undefined));
    return sending;
  };
  return {
    send,
    refresh() {
      isRefreshDue = true;
      return send();
    },
    fault: () => fault,
  };
}
