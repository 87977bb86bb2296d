import { parentPort, workerData } from 'node:worker_threads';
import { systemFs } from '../files/atomic-write.ts';
import type { Log } from '../messages.ts';
import { countsFormat } from './file/file-counter.ts';
import type { FoldMessage, FoldRequest } from './file/fold-in-worker.ts';
import { foldStateFile } from './file/state-file.ts';
import { knownFormat } from './redis/rows-file.ts';

// The program of the thread; see file/fold-in-worker.ts for the other end.

const { what, path, expected }: FoldRequest = workerData;
const send = (message: FoldMessage) => parentPort?.postMessage(message);
const at = (level: keyof Log) => (message: string) => send({ level, message });
const log = { info: at('info'), warn: at('warn'), error: at('error') };
send(
  what === 'counts'
    ? await foldStateFile(path, countsFormat, log, systemFs, expected)
    : await foldStateFile(path, knownFormat, log, systemFs, expected),
);
