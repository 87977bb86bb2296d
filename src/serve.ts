import closeWithGrace from 'close-with-grace';
import { pino } from 'pino';
import type { Loader } from './catalog/load.ts';
import { openParts } from './parts.ts';
import type { Settings } from './settings.ts';

type App = ReturnType<typeof import('./app.ts').buildApp>;

/** How long a stop may take after the clients were asked to leave, in milliseconds; then it is forced. */
const CLOSE_MS = 10_000;

/**
 * Serves until a signal; `loader` loads the first set.
 * @throws CatalogError where that has an error, and an Error where the state or the port cannot be used.
 */
export async function serve(settings: Settings, loader: Loader): Promise<void> {
  const log = pino({ level: settings.logLevel });
  // The catalogs are loaded in their own thread, while Fastify is loaded here.
  const [parts, { buildApp }] = await Promise.all([openParts(settings, log, loader), import('./app.ts')]);
  const app = buildApp(parts, settings, log);
  // Before it listens: whoever waits for that may send a signal at once.
  const grace = closeWithGrace(
    { delay: settings.drainMs + CLOSE_MS, logger: log },
    async ({ err, signal }) => {
      if (err) log.fatal({ err }, 'stopping after an error');
      else log.info(`stopping on ${signal}`);
      await app.close();
    },
  );
  try {
    await listen(app, settings);
  } catch (error) {
    grace.uninstall();
    throw error;
  }
}

async function listen(app: App, { host, port }: Settings): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver: address => `listening on ${address}` });
  } catch (error) {
    await app.close();
    const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = inUse ? 'the port is in use; choose another with --port' : String(error);
    throw new Error(`cannot listen on ${host} port ${port}: ${reason}`);
  }
}
