import { type Fingerprint, fingerprint } from '../../set/fingerprint.ts';
import { type Controls, readControls } from './control-files.ts';

/** What the directory of the catalog files holds, and what people ask for. */
export interface DirectoryState {
  print: Fingerprint;
  controls: Controls;
}

/** The directory of the catalog files. It can stop answering, as a network mount does when its server is gone. */
export interface CatalogDirectory {
  /** Looks at it. @throws the reason of `signal` when that is aborted, even if the system does not answer. */
  look(signal: AbortSignal): Promise<DirectoryState>;
  /** How long the look in progress has taken, in seconds; 0 when there is none. */
  silentSeconds(): number;
}

/** Control files are also looked for in the history. */
export function openCatalogDirectory(dir: string, historyDir: string, take = fingerprint): CatalogDirectory {
  const lookNow = async (): Promise<DirectoryState> => {
    const print = await take(dir);
    return { print, controls: await readControls(historyDir, dir) };
  };
  let since: number | undefined;
  return {
    look(signal) {
      since = performance.now();
      return new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason);
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort);
        lookNow()
          .finally(() => {
            signal.removeEventListener('abort', abort);
            since = undefined;
          })
          .then(resolve, reject);
      });
    },
    silentSeconds: () => (since === undefined ? 0 : Math.floor((performance.now() - since) / 1000)),
  };
}
