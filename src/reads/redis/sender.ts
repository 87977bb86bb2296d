import type { Log } from '../../messages.ts';
import { compareAll } from './compare.ts';
import { type Delta, giveUp, sendAgain, takeUnsent } from './ledger.ts';
import { CALL_ROWS } from './scripts.ts';
import { receiveRows, type Session, sendReads } from './session.ts';

/** How long a request waits for Redis, in milliseconds. */
export const PATIENCE_MS = 250;
/** How often to compare in a row while Redis keeps losing rows. */
const ATTEMPTS = 3;
const COMPARING = 'its counts are being compared with those known here';
/** How long reads are gathered while Redis has not answered yet, in milliseconds. */
const GATHER_MS = 10;

/**
 * Sends the reads of a ledger. Batches may overlap. If Redis fails or is slow, waiting requests continue without a count, and
 * each refresh tries again. `save` saves the ledger.
 */
export function openSender(session: Session, log: Log, save: () => Promise<void>) {
  const { ledger } = session;
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
  /** Calls `fail` if the call takes too long, but still awaits it. Returns whether it was in time. */
  const limit = async (call: Promise<unknown>, reason = `no answer for ${PATIENCE_MS} ms`) => {
    let isLate = false;
    const late = setTimeout(() => {
      isLate = true;
      fail(reason);
    }, PATIENCE_MS);
    await call.finally(() => clearTimeout(late));
    return !isLate;
  };
  /** Sends a batch or, if it is empty, fetches the reads of other processes. */
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
  /** Sends the reads of simultaneous requests as one batch. */
  const sendSoon = () => {
    if (timer) return;
    timer = underWay === 0 ? setImmediate(send) : setTimeout(send, GATHER_MS);
  };
  /** Sends all reads, then fetches those of others. Returns whether Redis was prompt. */
  const sendAll = async () => {
    if (!isCompared) await limit(compare(session, log, save), COMPARING);
    isCompared = true;
    for (let batches = Math.ceil(ledger.unsent.size / CALL_ROWS); batches > 0; batches -= 1)
      await limit(exchange(takeUnsent(ledger)));
    return limit(exchange([]));
  };
  const refreshNow = async () => {
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const isPrompt = await sendAll();
      if (isPrompt && isCompared) {
        if (fault) log.info('counting in Redis again');
        fault = undefined;
      }
      if (isCompared || !isPrompt) return;
    }
  };
  /** Does the same, once at a time. Never rejects. */
  const refresh = (): Promise<void> => {
    refreshing ??= refreshNow()
      .catch(error => fail(error.message))
      .finally(() => (refreshing = undefined));
    return refreshing;
  };
  return {
    sendSoon,
    refresh,
    /** Why Redis last failed; undefined if it works. */
    fault: () => fault ?? (isCompared ? undefined : COMPARING),
  };
}

async function compare(session: Session, log: Log, save: () => Promise<void>): Promise<void> {
  const { column } = session.ledger;
  await compareAll(session, log);
  // Reads saved in the old column must not be sent in the new one: after a kill, they would count twice.
  if (session.ledger.column !== column) await save();
}
