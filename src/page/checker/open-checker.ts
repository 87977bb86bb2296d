import type { OnProgress } from '../../reader/progress.ts';
import type {
  CheckerMessage,
  CheckerTask,
  CheckOptions,
  CheckReport,
  DroppedFile,
  Query,
} from './protocol.ts';

/** Checks files in a worker, with the code with which the service reads catalogs. Nothing is uploaded. */
export interface Checker {
  /**
   * Checks dropped files; their bytes move to the worker. A check that is under way goes on.
   * @throws Error with a sentence if the service cannot be asked, or memory runs out.
   */
  check(files: DroppedFile[], options?: CheckOptions, onProgress?: OnProgress): Promise<CheckReport>;
  /**
   * The `data` that the service would answer for a path such as `overview/news`, if it served the set that was checked last.
   * @throws Error if that has errors, or the path or the query is not one that it answers.
   */
  ask(path: string, query?: Query): Promise<unknown>;
  /** Ends the worker. What is under way fails. */
  close(): void;
}

/** A request that waits for its answer. */
interface Waiting {
  resolve(result: unknown): void;
  reject(error: Error): void;
  onProgress: OnProgress;
}

/** The worker starts with the first request. `script` is its address, relative to that of the page. */
export function openChecker(script = 'page/checker.js'): Checker {
  const waiting = new Map<number, Waiting>();
  let worker: Worker | undefined;
  let last = 0;
  const close = (reason = 'the check was ended') => {
    worker?.terminate();
    worker = undefined;
    for (const { reject } of waiting.values()) reject(new Error(reason));
    waiting.clear();
  };
  const start = () => {
    const started = new Worker(script);
    started.onmessage = ({ data }: MessageEvent<CheckerMessage>) => {
      const request = waiting.get(data.id);
      if (!request) return;
      if ('progress' in data) return request.onProgress(data.progress);
      waiting.delete(data.id);
      if ('error' in data) request.reject(new Error(data.error));
      else request.resolve(data.result);
    };
    started.onerror = event => {
      event.preventDefault();
      close(`the files could not be checked: ${event.message ?? 'the checker is not there'}`);
    };
    return started;
  };
  const request = (task: CheckerTask, transfer: Transferable[] = [], onProgress: OnProgress = () => {}) =>
    new Promise<unknown>((resolve, reject) => {
      worker ??= start();
      last += 1;
      waiting.set(last, { resolve, reject, onProgress });
      worker.postMessage({ ...task, id: last }, transfer);
    });
  return {
    check(files, options = {}, onProgress) {
      const bytes = files.map(({ bytes }) => bytes);
      // The worker answers a check with its report.
      return request({ task: 'check', files, options }, bytes, onProgress) as Promise<CheckReport>;
    },
    ask: (path, query = {}) => request({ task: 'ask', path, query }),
    close,
  };
}
