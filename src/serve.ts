import type { Readers } from './live/readers.ts';
import { printable, reasonOf } from './messages.ts';
import { commandName, wordOf } from './process/command-name.ts';
import { installShutdown } from './process/shutdown.ts';
import { isTerminal, openLogger } from './process/terminal.ts';
import { startServices } from './services.ts';
import { type Settings, settings as table } from './settings/settings.ts';

/**
 * Serves until a signal. The server listens at once, but answers 503, except for probes and the page, until `readers` have
 * read the first set. Then it logs `listening on`.
 * @throws CatalogError if the set has errors and the history has no good one, and Error if the state directory, Redis or the
 * port cannot be used.
 */
export async function serve(settings: Settings, readers: Readers): Promise<void> {
  const log = openLogger(settings.logLevel);
  // The reader process reads the catalogs while this one loads Fastify.
  const starting = startServices(settings, log, readers);
  const [services, { buildApp }] = await Promise.all([starting, import('./app.ts')]);
  const drain = new AbortController();
  let isClosing = false;
  const app = buildApp(services, settings, log, { endDrain: drain.signal });
  // Before listen(), since a program that waits for the address may send a signal immediately.
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
  const { loaded, snapshot } = services.catalog;
  const addresses: string[] = [];
  const listenTextResolver = (address: string) => {
    addresses.push(address);
    return isTerminal ? '' : `opening ${address}, which answers 503 until the catalogs are served`;
  };
  const { host, port } = settings;
  try {
    await app.listen({ host, port, listenTextResolver }).catch(error => {
      const inUse = 'the port is in use; choose another with --port';
      const reason = error.code === 'EADDRINUSE' ? inUse : reasonOf(error);
      throw new Error(`cannot listen on ${host} port ${port}: ${reason}`);
    });
    await loaded;
  } catch (error) {
    uninstall();
    await app.close();
    throw error;
  }
  if (isClosing) return;
  for (const address of addresses) {
    const message = `listening on ${address}`;
    if (isTerminal) log.info({ details: nextSteps(address, settings, snapshot() !== undefined) }, message);
    else log.info(message);
  }
}

/** Lists what people at a terminal can open, and how to start a catalog of their own. */
function nextSteps(address: string, { basePath, catalogDir }: Settings, isServed: boolean): string[] {
  const isSample = commandName === 'npm start --' && catalogDir === table.catalogDir.default;
  const ownDir = isSample ? 'shop/catalog' : wordOf(printable(catalogDir));
  return [
    `page  ${address}${basePath}/`,
    `API   ${address}${basePath}/api/products`,
    `docs  ${address}${basePath}/docs`,
    ...(isSample || !isServed ? [`for a catalog of your own, run '${commandName} template ${ownDir}'`] : []),
  ];
}
