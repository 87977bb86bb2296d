import type { RequestListener } from 'node:http';
import type { FastifyBaseLogger, FastifyInstance, FastifyPluginAsync } from 'fastify';
import { buildApp, registerService } from './app.ts';
import { openParts } from './http/routes.ts';
import { CatalogError } from './live/report.ts';
import { onStopSignal } from './process/stop-signals.ts';
import { openLogger } from './process/terminal.ts';
import { openServices, startServices } from './services.ts';
import { boolean } from './settings/parsers.ts';
import { parseAs, settingsFrom, UsageError } from './settings/read.ts';
import { type SettingName, type Settings, settingNames } from './settings/settings.ts';

export type { Change, Changes } from './contract/changes.ts';
export type { Page, Pagination } from './contract/envelope.ts';
export type { Health } from './contract/health.ts';
export type { Problem as ProblemReport } from './contract/problems.ts';
export type {
  NewsDetail,
  NewsListItem,
  PriceRecord,
  ProductRecord,
  RecommendedConfiguration,
} from './contract/records.ts';
export type { ErrorCode, ErrorDetail } from './errors.ts';
export { StateInUseError } from './reads/file/lock.ts';
export { CatalogError, UsageError };

type DirectoryOption = 'catalogDir' | 'imagesDir' | 'stateDir';

/**
 * The settings of the command line in camelCase, such as `catalogDir` for `CATALOG_DIR`. All are optional. A directory may be
 * a file URL, such as `new URL('./catalog', import.meta.url)`.
 */
export type VitrineOptions = Partial<
  Pick<Settings, Exclude<SettingName, DirectoryOption>> & Record<DirectoryOption, string | URL>
>;

/** Settings of the server, which the host of a plugin decides itself. */
const ofHost = [
  'host',
  'port',
  'trustProxy',
  'drainMs',
  'maxConnections',
  'clientTimeoutMs',
  'keepAliveMs',
] as const;

/** The settings of a plugin, besides Fastify's own `prefix` and `logLevel`. */
export type VitrinePluginOptions = Omit<VitrineOptions, (typeof ofHost)[number]>;

const pluginOptions = ['prefix', 'logSerializers', ...settingNames].filter(
  name => !ofHost.some(other => other === name),
);

/** The service as a Fastify app. */
export type Vitrine = FastifyInstance & {
  /** Answers requests of another server: `createServer(app.handler)`, or `express.use('/shop', app.handler)`. */
  handler: RequestListener;
};

/** Options of `createVitrine` in addition to the settings. */
export interface AppOptions {
  /** A pino-compatible logger, or false for none. By default, the app logs to standard output. */
  logger?: FastifyBaseLogger | boolean;
  /** Close a listening app on SIGINT and SIGTERM, so that no read is lost. Default: true. */
  signals?: boolean;
}

/**
 * Loads the catalogs and resolves to the service as a Fastify app, for you to `listen()` and `close()`. You can add routes,
 * and hooks, which see every request.
 * @throws UsageError if an option is wrong, CatalogError if the catalogs have errors and the history has no good set,
 * StateInUseError if another service uses the state directory, and Error if that or Redis cannot be used.
 */
export async function createVitrine(options: VitrineOptions & AppOptions = {}): Promise<Vitrine> {
  const given: unknown = options;
  if (typeof given !== 'object') throw new UsageError('options: expected an object, such as { catalogDir }');
  const { logger, signals, ...others } = { ...options };
  const settings = settingsFrom(others, settingNames);
  const hearsSignals = parseAs(boolean, String(signals ?? true), 'signals');
  const log = loggerFrom(logger ?? true, settings.logLevel);
  const drain = new AbortController();
  const services = await openServices(settings, log);
  const app = buildApp(services, settings, log, { isExtended: true, endDrain: drain.signal });
  if (hearsSignals) closeOnSignal(app, () => drain.abort());
  const handler: RequestListener = (request, response) => {
    const route = () => app.routing(request, response);
    app.ready().then(route, error => response.destroy(error));
  };
  return Object.assign(app, { handler });
}

/**
 * The service as a plugin of your Fastify app: `app.register(vitrine, { prefix: '/shop', catalogDir: 'catalog' })`. It
 * logs to the app's logger and closes with the app. Loading the catalogs counts towards the app's `pluginTimeout`, 10 s
 * by default; set it to 0 for large catalogs.
 * @throws UsageError, CatalogError and Error as `createVitrine` does; `app.ready()` rejects with them.
 */
export const vitrine: FastifyPluginAsync<VitrinePluginOptions> = async (app, options) => {
  const settings = settingsFrom(options, pluginOptions);
  const starting = startServices(settings, app.log);
  const close = async () => (await starting.catch(() => undefined))?.close();
  // Before the first await: if the host's pluginTimeout runs out, its close() must find the hook.
  app.addHook('onClose', close);
  try {
    const services = await starting;
    await services.catalog.loaded;
    // Throws if the host has given up on the plugin by now.
    await registerService(app, openParts(services, { ...settings, drainMs: 0 }));
  } catch (error) {
    await close();
    throw error;
  }
};

/** The methods of a logger that Fastify calls. */
const LOG_METHODS = ['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'child'];

function loggerFrom(logger: FastifyBaseLogger | boolean, level: string): FastifyBaseLogger {
  if (typeof logger === 'boolean') return openLogger(logger ? level : 'silent');
  const missing = LOG_METHODS.filter(name => typeof Reflect.get(Object(logger), name) !== 'function');
  if (missing.length === 0) return logger;
  const expected = 'expected true, false or a logger such as that of pino';
  throw new UsageError(`logger: ${expected}; this one has no ${missing.join(', ')}`);
}

/**
 * Closes a listening app on the first SIGINT or SIGTERM. A later one calls `endDrain`. After the close, the process exits, as
 * it would by default, unless something else listens to the signal.
 */
function closeOnSignal(app: FastifyInstance, endDrain: () => void): void {
  let isClosing = false;
  let uninstall = () => {};
  const close = async (signal: NodeJS.Signals) => {
    isClosing = true;
    app.log.info(`closing on ${signal}`);
    await app.close().catch(error => app.log.error({ err: error }, 'cannot close the service'));
    uninstall();
    if (process.listenerCount(signal) === 0) process.exit();
  };
  app.addHook('onListen', async () => {
    uninstall = onStopSignal(['SIGINT', 'SIGTERM'], signal => void close(signal), endDrain);
  });
  app.addHook('onClose', async () => {
    // A repeated signal must not end the process while counts are being saved.
    if (!isClosing) uninstall();
  });
}
