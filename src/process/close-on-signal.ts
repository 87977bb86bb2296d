import type { FastifyInstance } from 'fastify';
import { onStopSignal, type StopSignal } from './stop-signals.ts';

/**
 * Closes an app that listens at the first SIGINT or SIGTERM; a later one calls `endDrain`. Then the process exits, as it
 * would by default, unless something else listens to the signal.
 */
export function closeOnSignal(app: FastifyInstance, endDrain: () => void): void {
  let isClosing = false;
  let uninstall = () => {};
  const close = async (signal: StopSignal) => {
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
    // While counts are being saved, a repeated signal must not end the process.
    if (!isClosing) uninstall();
  });
}
