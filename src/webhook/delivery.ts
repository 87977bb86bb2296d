import { createHmac } from 'node:crypto';
import { request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { getSystemErrorMap } from 'node:util';
import { packageVersion } from '../package-version.ts';

/** A webhook that is sent until its receiver has taken it. */
interface Message {
  /** The same at every try. */
  id: string;
  /** The JSON, the same at every try. */
  body: string;
}

/** Where webhooks go, and the secret that signs them. */
export interface Receiver {
  url: string;
  /** `whsec_` and Base64. */
  secret: string;
}

/** The receiver has this long to answer, in ms. */
const TIMEOUT_MS = 10_000;

/**
 * Sends a webhook once, at `now` (Unix seconds). Any answer but 2xx is a failure, a redirect too; its body is not read.
 * @throws Error whose message is safe to show to clients.
 */
export async function deliver(
  { id, body }: Message,
  { url, secret }: Receiver,
  now: number,
  closing: AbortSignal,
): Promise<void> {
  const timestamp = String(Math.floor(now));
  const timeout = AbortSignal.timeout(TIMEOUT_MS);
  const status = await post(url, body, AbortSignal.any([timeout, closing]), {
    'content-type': 'application/json',
    'content-length': Buffer.byteLength(body),
    'user-agent': `Vitrine/${packageVersion()}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature(secret, id, timestamp, body),
  }).catch(error => {
    if (timeout.aborted) throw new Error(`the receiver did not answer within ${TIMEOUT_MS / 1000} s`);
    throw new Error(faultOf(error), { cause: error });
  });
  if (status < 200 || status > 299) throw new Error(`the receiver answered ${status}`);
}

/** Signs as Standard Webhooks says: https://github.com/standard-webhooks/standard-webhooks. */
export function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  const digest = createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64');
  return `v1,${digest}`;
}

/** Resolves to the status of the answer. */
function post(
  url: string,
  body: string,
  signal: AbortSignal,
  headers: Record<string, string | number>,
): Promise<number> {
  const request = url.startsWith('https:') ? requestTls : requestPlain;
  return new Promise((resolve, reject) => {
    const sent = request(url, { method: 'POST', headers, signal, agent: false }, answer => {
      resolve(answer.statusCode ?? 0);
      answer.destroy();
    });
    sent.on('error', reject).end(body);
  });
}

/** The message of the system may name the host, which is nobody's business. */
function faultOf(error: NodeJS.ErrnoException): string {
  const { errno = 0, code = 'an unknown error' } = error;
  const [, description] = getSystemErrorMap().get(errno) ?? [];
  return `the receiver cannot be reached: ${description ?? code}`;
}
