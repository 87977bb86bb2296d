import type { Readers } from './live/readers.ts';
import { installShutdown } from './process/shutdown.ts';
import { canErase, isTerminal, openLogger } from './process/terminal.ts';
import { openTerminalReport, showProgress } from './process/terminal-report.ts';
import { startServices } from './services.ts';
import type { Settings } from './settings/settings.ts';

type App = ReturnType<typeof import('./app.ts').buildApp>;

/**
 * Serves until a signal. The server listens at once and answers 503, probes and the page aside, until `readers` have read
 * the first set; then it logs `listening on`.
 * @throws CatalogError if that set has errors and the history has none instead, and Error if the state directory, Redis or the port cannot be used.
 */
export async function serve(settings: Settings, readers: Readers): Promise<void> {
  const log = openLogger(settings.logLevel);
  const terminal = isTerminal ? openTerminalReport(settings, log) : undefined;
  // Another process reads the catalogs while this one loads Fastify.
  const [services, { buildApp }] = await Promise.all([
    startServices(settings, log, readers, terminal?.onStatus),
    import('./app.ts'),
  ]);
  const drain = new AbortController();
  let isClosing = false;
  const app = buildApp(services, settings, log, { endDrain: drain.signal });
  // Before listen(), since a program that waits for the address may send a signal at once.
  const uninstall = installShutdown({
    close: () => {
      isClosing = true;
      return app.close();
    },
    drainMs: settings.drainMs,
    endDrain: () => drain.abort(),
    unsavedReads: () => services.reads.health().unsaved,
    log,
  });
  const { loaded, snapshot, status } = services.catalog;
  const addresses: string[] = [];
  const isReady = snapshot() !== undefined;
  const listenText = (address: string) => {
    addresses.push(address);
    // A terminal gets it with the summary.
    if (terminal) return '';
    return isReady
      ? `listening on ${address}`
      : `loading the catalogs; until they are served, ${address} answers 503`;
  };
  const endProgress = terminal && canErase ? showProgress(services.catalog, log) : () => {};
  try {
    await listen(app, settings, listenText);
    await loaded;
  } catch (error) {
    uninstall();
    await app.close();
    throw error;
  } finally {
    endProgress();
  }
  if (isClosing) return;
  if (terminal) terminal.showStart(status(), addresses);
  else if (!isReady) for (const address of addresses) log.info(`listening on ${address}`);
}

async function listen(
  app: App,
  { host, port }: Settings,
  listenTextResolver: (address: string) => string,
): Promise<void> {
  try {
    await app.listen({ host, port, listenTextResolver });
  } catch (error) {
    const inUse = error instanceof Error && 'code' in error && error.code === 'EADDRINUSE';
    const reason = inUse ? 'the port is in use; choose another with --port' : String(error);
    throw new Error(`cannot listen on ${host} port ${port}: ${reason}`);
  }
}
