import { setTimeout as delay } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { plural } from '../messages.ts';
import { onStopSignal } from './stop-signals.ts';
import { openLogger } from './terminal.ts';

/** How long a stop may take after the drain before it is forced, in milliseconds. */
const CLOSE_MS = 9_000;
/** When another thread kills the process if that fails too, in milliseconds. */
const KILL_MS = 9_500;
/** How long to wait for file operations that outlast the service, in milliseconds. */
const IDLE_MS = 1_000;

interface Shutdown {
  /** Drains connections for `drainMs` milliseconds, saves the read counts, and closes everything. */
  close(): Promise<unknown>;
  drainMs: number;
  endDrain(): void;
  unsavedReads(): number;
  log: Logger;
}

/**
 * Stops the process on a signal with exit code 0, and on an uncaught error with 1. A later signal ends the drain. If the stop
 * takes too long or a second error occurs, the process logs how many reads it loses and kills itself with SIGKILL. Returns a
 * function that removes the listeners.
 */
export function installShutdown({ close, drainMs, endDrain, unsavedReads, log }: Shutdown): () => void {
  let isStopping = false;

  const force = (reason: string) => {
    // Synchronous, since the process would end before a thread of the pool has written the line.
    openLogger(log.level, true).error(
      `${reason}: ending with SIGKILL, ${plural(unsavedReads(), 'read')} not saved`,
    );
    // After pino's own exit listener, which writes buffered lines.
    process.once('exit', () => process.kill(process.pid, 'SIGKILL'));
    process.exit();
  };
  const limit = (ms: number) => {
    setTimeout(() => force(`not stopped ${CLOSE_MS} ms after the drain`), ms + CLOSE_MS).unref();
    // In another thread, since this one may block on the log's file or pipe. Exiting ends that thread.
    const kill = `setTimeout(() => process.kill(process.pid, 'SIGKILL'), ${ms + KILL_MS})`;
    new Worker(kill, { eval: true }).unref();
  };
  const stop = async (code: number) => {
    isStopping = true;
    limit(drainMs);
    const isClosed = await close().then(
      () => true,
      error => log.error({ err: error }, 'cannot close the service'),
    );
    for (let waited = 0; isPoolBusy() && waited < IDLE_MS; waited += 10) await delay(10);
    if (isPoolBusy()) force('a file operation does not return');
    process.exit(isClosed ? code : 1);
  };

  const onSignal = (signal: string) => {
    if (isStopping) return;
    log.info(`stopping on ${signal}`);
    void stop(0);
  };
  const onLaterSignal = () => {
    endDrain();
    limit(0);
  };
  const onError = (error: Error) => {
    if (isStopping) return force(`second error, ${error}`);
    log.fatal({ err: error }, 'stopping after an error');
    void stop(1);
  };
  const signals = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT', 'SIGUSR2'] as const;
  const uninstall = onStopSignal(signals, onSignal, onLaterSignal);
  process.on('uncaughtException', onError);
  return () => {
    uninstall();
    process.off('uncaughtException', onError);
  };
}

/** Whether a thread of libuv's pool is busy. Exiting waits for it, forever if a system call hangs, as on a dead mount. */
function isPoolBusy(): boolean {
  return process.getActiveResourcesInfo().some(name => /^(FSReq|CloseReq|GetAddrInfo)/.test(name));
}
