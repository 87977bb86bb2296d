import { once } from 'node:events';
import { get } from 'node:http';
import { reasonOf } from '../messages.ts';
import { UsageError } from '../settings/read.ts';
import type { Settings } from '../settings/settings.ts';

const ANSWER_MS = 5_000;
/** The loopback address to ask for each wildcard address. */
const loopbacks: Record<string, string> = { '0.0.0.0': '127.0.0.1', '::': '::1' };

/**
 * Asks the service with these settings whether it is live, and resolves to a sentence that says so. A service that still
 * waits for its catalogs is live, since a restart would not help.
 * @throws UsageError if the port is 0, and Error if the service is not live.
 */
export async function checkHealth(settings: Pick<Settings, 'host' | 'port' | 'basePath'>): Promise<string> {
  const { host, port, basePath } = settings;
  if (port === 0) throw new UsageError('PORT: expected the port that the service listens on, got "0"');
  const address = loopbacks[host] ?? host;
  const url = `http://${address.includes(':') ? `[${address}]` : address}:${port}${basePath}/health/live`;
  const signal = AbortSignal.timeout(ANSWER_MS);
  // fetch() refuses some ports.
  const request = get(url, { agent: false, signal });
  const [{ statusCode }] = await once(request, 'response').catch(error => {
    const reason = signal.aborted ? `no answer within ${ANSWER_MS / 1000} s` : reasonOf(error);
    throw new Error(`${url} is not live: ${reason}`);
  });
  request.destroy();
  if (statusCode !== 200) throw new Error(`${url} is not live: status ${statusCode}`);
  return `${url} is live`;
}
