import { Worker } from 'node:worker_threads';
import type { Stats } from '../../files/atomic-write.ts';
import type { Log } from '../../messages.ts';
import type { Fold, Position } from './state-file.ts';

/** The files that `fold-worker.ts` knows. */
export interface FoldRequest {
  what: 'counts' | 'redis';
  path: string;
  expected: Stats | undefined;
}

export type FoldMessage = Position | { level: keyof Log; message: string };

/** When the program runs from its sources, the thread first registers a loader for TypeScript. */
const isSource = import.meta.url.endsWith('.ts');
const entry = new URL(isSource ? '../../../scripts/fold-worker.mjs' : './fold-worker.js', import.meta.url);

/** Folds a file in a thread, since that takes a second for a million counts. */
export function foldInWorker(what: FoldRequest['what'], path: string, log: Log): Fold {
  return expected =>
    new Promise((resolve, reject) => {
      const workerData: FoldRequest = { what, path, expected };
      const worker = new Worker(entry, { workerData, execArgv: [] });
      worker.on('message', (message: FoldMessage) => {
        if ('level' in message) log[message.level](message.message);
        else resolve(message);
      });
      worker.on('error', reject);
      worker.on('exit', code => reject(new Error(`the thread ended with code ${code}`)));
    });
}
