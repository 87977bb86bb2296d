// The top of src: how the rooms become a program, a library and a client.
//
// Files ─► `reader/` (reads and checks a set in a child process) ─► `live/` (decides what is served) ─► snapshot ─► `http/`.
// Services are what lives as long as the server: the live catalogs, the read counts (`reads/`) and the webhook. `app.ts`
// builds the Fastify app on them. `main.ts` runs the command line, whose command `serve` (`serve.ts`) listens until a signal.
// `index.ts` is the library, and `client.ts` the client for browsers.
import { systemClock } from './clock.ts';
import type { HealthSources } from './http/endpoints/health.ts';
import { openLiveCatalog } from './live/live.ts';
import { openLiveHistory } from './live/live-history.ts';
import type { Readers } from './live/readers.ts';
import { type CatalogStatus, logStatus, type OnStatus } from './live/status.ts';
import { type Log, printable } from './messages.ts';
import { openReads } from './reads/open.ts';
import type { Settings } from './settings/settings.ts';
import type { Snapshot } from './snapshot/snapshot.ts';
import type { Webhook } from './webhook/webhook.ts';

export interface Services extends HealthSources {
  /** Saves the read counts and releases the files. Later calls return the promise of the first one. */
  close(): Promise<unknown>;
}

/** A logger with the signature of pino's. */
type HostLog = Record<keyof Log, (fields: object, message: string) => void>;

/**
 * Opens the read counts and starts loading the catalogs. Await `catalog.loaded` for the first set.
 * @param readers read the sets, if you opened them ahead of time.
 * @throws Error if the state directory or Redis cannot be used.
 */
export async function startServices(settings: Settings, log: HostLog, readers?: Readers): Promise<Services> {
  // Each line names the service, since several may share a host's log.
  const catalogDir = printable(settings.catalogDir);
  const logAt = (level: keyof Log) => (message: string, details?: object) =>
    log[level]({ catalogDir, ...details }, printable(message));
  const serviceLog = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
  const report = logStatus(serviceLog);
  // The read counts lock the state directory for the history and the webhook, too.
  const opening = openReads(settings, serviceLog);
  const history = openLiveHistory(settings, opening, serviceLog);
  let webhook: Webhook | undefined;
  const onStatus: OnStatus = (event, status) => {
    report(event, status);
    // The event after a rollback or an unpin reports the result.
    if (event !== 'rolledBack' && event !== 'unpinned') webhook?.notice();
  };
  const openingWebhook = opening.then(() => openWebhookOf(settings, () => catalog.status(), serviceLog));
  // The error is thrown by the await below.
  const openedWebhook = openingWebhook.catch(() => undefined);
  const beforeServed = async (next: Snapshot) => (await openedWebhook)?.remember(next);
  const live = { ...settings, onStatus, beforeServed };
  const catalog = openLiveCatalog(settings, live, serviceLog, { history, ...(readers && { readers }) });
  try {
    const reads = await opening;
    webhook = await openingWebhook;
    // Asks Redis for the counts of the news items, now that they are known.
    const onLoaded = () => {
      webhook?.notice();
      return reads.flush();
    };
    void catalog.loaded.then(onLoaded, () => {});
    let closing: Promise<unknown> | undefined;
    // Closed last, since the counts release the lock of the state directory.
    const closeState = () => Promise.resolve(webhook?.close()).finally(reads.close);
    const close = () => {
      closing ??= Promise.all([catalog.close(), closeState()]);
      return closing;
    };
    return { catalog, reads, webhook, now: systemClock.now, close };
  } catch (error) {
    const reads = await opening.catch(() => undefined);
    await Promise.all([catalog.close(), reads?.close()]);
    throw error;
  }
}

/** Starts services and waits for the first set. @throws CatalogError if it has errors and the history has no good one. */
export async function openServices(settings: Settings, log: HostLog): Promise<Services> {
  const services = await startServices(settings, log);
  try {
    await services.catalog.loaded;
    return services;
  } catch (error) {
    await services.close();
    throw error;
  }
}

/** Loads nothing and returns undefined if there is no receiver. */
async function openWebhookOf(settings: Settings, status: () => CatalogStatus, log: Log) {
  if (settings.chatUrl === '' && settings.webhookUrl === '') return undefined;
  const { openWebhook } = await import('./webhook/webhook.ts');
  return openWebhook(settings, status, log);
}
