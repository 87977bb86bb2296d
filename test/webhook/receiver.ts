import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import type { TestContext } from 'node:test';
import { Webhook } from 'standardwebhooks';
import type { WebhookPayload } from '../../src/contract/webhook.ts';
import { until } from '../support/until.ts';
import { listen } from '../support/wire.ts';

export const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

/** A webhook as it came. */
export interface Received {
  id: string;
  body: string;
  payload: WebhookPayload;
  /** Whether it was answered with a 2xx. */
  isTaken: boolean;
}

/**
 * Receives webhooks, of which each must have a right signature if they are signed. `answerWith` chooses the status of each
 * attempt; it is 204 before.
 */
export async function startReceiver(t: TestContext, isSigned = true) {
  const webhook = new Webhook(SECRET);
  const received: Received[] = [];
  const faults: unknown[] = [];
  let statusOf = (_attempt: number) => 204;
  const server = createServer(async (request, response) => {
    const { headers, method } = request;
    const body = await text(request);
    try {
      if (method !== 'POST') throw new Error(`${method}`);
      if (isSigned) webhook.verify(body, headers as Record<string, string>);
    } catch (error) {
      faults.push(error);
    }
    const status = statusOf(received.length);
    const isTaken = status >= 200 && status < 300;
    received.push({ id: String(headers['webhook-id']), body, payload: JSON.parse(body), isTaken });
    response.writeHead(status, { location: '/elsewhere' }).end('x'.repeat(100_000));
  });
  const address = await listen(t, server);
  const taken = () => received.filter(({ isTaken }) => isTaken);
  return {
    url: `${address}/hook`,
    received,
    taken,
    faults,
    untilReceived: (count: number) => until(t, async () => (received.length >= count ? received : undefined)),
    answerWith: (choose: typeof statusOf) => (statusOf = choose),
  };
}
