import type { Log } from '../../messages.ts';
import { compareAll } from './compare.ts';
import { type Delta, giveUp, type Ledger, sendAgain, takeUnsent } from './ledger.ts';
import { CALL_ROWS } from './scripts.ts';
import { receiveRows, type Session, sendReads } from './session.ts';

/** How long a request waits for Redis, in milliseconds. */
export const PATIENCE_MS = 250;
/** How often to compare at once if Redis keeps losing something. */
const ATTEMPTS = 3;
/** Redis is new to this process or lost something. */
const COMPARING = 'its counts are being compared with those known here';
/** Reads wait this long for others while Redis has not answered yet, in milliseconds. */
const GATHER_MS = 10;

/**
 * Sends the reads of a ledger. Batches need not wait for each other. If Redis fails or is too slow, all waiting requests
 * go on without a count, and each refresh tries again. `save` saves what the ledger knows.
 */
export function openSender(session: Session, ledger: Ledger, log: Log, save: () => Promise<void>) {
  let fault: string | undefined;
  let isCompared = false;
  let underWay = 0;
  let timer: NodeJS.Timeout | NodeJS.Immediate | undefined;
  let refreshing: Promise<void> | undefined;

  const fail = (reason: string) => {
    if (!fault) log.error(`cannot count in Redis (${reason}): counting here until it works again`);
    fault = reason;
    sendAgain(ledger);
  };
  const recover = () => {
    if (fault) log.info('counting in Redis again');
    fault = undefined;
  };
  const limit = (call: Promise<unknown>, reason?: string) => withLimit(call, fail, reason);
  /** Sends a batch. Without one, receives the reads of other processes. */
  const exchange = async (batch: Delta[]) => {
    underWay += 1;
    try {
      if (!(await (batch.length > 0 ? sendReads(session, batch) : receiveRows(session)))) isCompared = false;
    } finally {
      underWay -= 1;
      for (const { waiting } of batch) giveUp(waiting);
      if (!isCompared) sendAgain(ledger);
    }
  };
  const send = () => {
    timer = undefined;
    if (fault || ledger.unsent.size === 0) return;
    if (!isCompared) return void refresh();
    limit(exchange(takeUnsent(ledger))).then(
      () => (isCompared ? ledger.unsent.size > 0 && sendSoon() : void refresh()),
      error => fail(error.message),
    );
  };
  /** Sends the reads of simultaneous requests as one batch, soon. */
  const sendSoon = () => {
    if (timer) return;
    timer = underWay === 0 ? setImmediate(send) : setTimeout(send, GATHER_MS);
  };
  /** Sends what there is now, and receives. Returns whether Redis was prompt. */
  const sendAll = async () => {
    if (!isCompared) await limit(compare(session, ledger, log, save), COMPARING);
    isCompared = true;
    for (let batches = Math.ceil(ledger.unsent.size / CALL_ROWS); batches > 0; batches -= 1)
      await limit(exchange(takeUnsent(ledger)));
    return limit(exchange([]));
  };
  const refreshNow = async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const isPrompt = await sendAll();
      if (isPrompt && isCompared) recover();
      if (isCompared || !isPrompt) return;
    }
  };
  /** Sends all reads and receives those of other processes. Resolves when that is done or failed; never rejects. */
  const refresh = (): Promise<void> => {
    refreshing ??= refreshNow()
      .catch(error => fail(error.message))
      .finally(() => (refreshing = undefined));
    return refreshing;
  };
  return {
    sendSoon,
    refresh,
    /** Why Redis failed last; undefined if it works. */
    fault: () => fault ?? (isCompared ? undefined : COMPARING),
  };
}

/** Compares all rows, and may go on in another column. */
async function compare(session: Session, ledger: Ledger, log: Log, save: () => Promise<void>): Promise<void> {
  const { column } = ledger;
  await compareAll(session, ledger, log);
  // Reads that are saved in one column must not be sent in another, or they count twice after a kill.
  if (ledger.column !== column) await save();
}

/** Fails if the call takes too long, and goes on with it. Returns whether it was in time. */
async function withLimit(
  call: Promise<unknown>,
  fail: (reason: string) => void,
  reason = `no answer for ${PATIENCE_MS} ms`,
): Promise<boolean> {
  let isLate = false;
  const late = setTimeout(() => {
    isLate = true;
    fail(reason);
  }, PATIENCE_MS);
  await call.finally(() => clearTimeout(late));
  return !isLate;
}
