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

/** What the routes answer from. */
export interface Services extends HealthSources {
  /** Saves the read counts and releases the files. Later calls return the promise of the first. */
  close(): Promise<unknown>;
}

/** Writes lines with fields, as loggers of pino do. */
type HostLog = Record<keyof Log, (fields: object, message: string) => void>;

/**
 * Opens the read counts and starts to load the catalogs. Await `catalog.loaded` for the first set.
 * @param readers reads the sets, if you started it ahead of time.
 * @throws Error if the state directory or Redis cannot be used.
 */
export async function startServices(settings: Settings, log: HostLog, readers?: Readers): Promise<Services> {
  // Names the service, since a host may run several that share one log.
  const catalogDir = printable(settings.catalogDir);
  const logAt = (level: keyof Log) => (message: string, details?: object) =>
    log[level]({ catalogDir, ...details }, printable(message));
  const serviceLog = { info: logAt('info'), warn: logAt('warn'), error: logAt('error') };
  const report = logStatus(serviceLog);
  // The read counts lock the state directory for history and webhook, too.
  const opening = openReads(settings, serviceLog);
  const history = openLiveHistory(settings, opening, serviceLog);
  let webhook: Webhook | undefined;
  const onEvent: OnStatus = (event, status) => {
    report(event, status);
    // The event that follows a rollback or an unpin reports its result.
    if (event !== 'rolledBack' && event !== 'unpinned') webhook?.notice();
  };
  const openingWebhook = opening.then(() => openWebhookOf(settings, () => catalog.status(), serviceLog));
  // The await below throws the error.
  const openedWebhook = openingWebhook.catch(() => undefined);
  const live = {
    ...settings,
    onStatus: onEvent,
    beforeServed: async (next: Snapshot) => (await openedWebhook)?.remember(next),
  };
  const catalog = openLiveCatalog(settings, live, serviceLog, { history, ...(readers && { readers }) });
  try {
    const reads = await opening;
    webhook = await openingWebhook;
    // Redis is asked once the news items are known.
    const onLoaded = () => {
      webhook?.notice();
      return reads.flush();
    };
    void catalog.loaded.then(onLoaded, () => {});
    let closing: Promise<unknown> | undefined;
    // The counts release the lock of the state directory.
    const closeState = () => Promise.resolve(webhook?.close()).finally(reads.close);
    const close = () => {
      closing ??= Promise.all([catalog.close(), closeState()]);
      return closing;
    };
    return { catalog, reads, webhook, now: systemClock.now, close };
  } catch (error) {
    const closeReads = opening.then(
      reads => reads.close(),
      () => {},
    );
    await Promise.all([catalog.close(), closeReads]);
    throw error;
  }
}

/**
 * Starts the services and waits for the first set of catalogs.
 * @throws CatalogError if that set has errors and the history has none instead, and Error as `startServices` does; nothing stays open then.
 */
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

/** Undefined without a receiver: then nothing of it is loaded. */
async function openWebhookOf(
  settings: Settings,
  status: () => CatalogStatus,
  log: Log,
): Promise<Webhook | undefined> {
  if (settings.chatUrl === '' && settings.webhookUrl === '') return undefined;
  const { openWebhook } = await import('./webhook/webhook.ts');
  return openWebhook(settings, status, log);
}
