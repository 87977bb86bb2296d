import { type Fingerprint, fingerprint } from './fingerprint.ts';

/** The directory of the catalog files. It can stop answering, as a network mount does when its server is gone. */
export interface CatalogDirectory {
  /** The fingerprint of its files. @throws the reason of `signal` when that is aborted, even if the system does not answer. */
  fingerprint(signal: AbortSignal): Promise<Fingerprint>;
  /** How long the fingerprint in progress has taken, in seconds; 0 when there is none. */
  silentSeconds(): number;
}

export function openCatalogDirectory(dir: string, take = fingerprint): CatalogDirectory {
  let since: number | undefined;
  return {
    fingerprint(signal) {
      since = performance.now();
      return new Promise((resolve, reject) => {
        const abort = () => reject(signal.reason);
        if (signal.aborted) return abort();
        signal.addEventListener('abort', abort);
        take(dir)
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
