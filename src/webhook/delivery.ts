import { createHmac } from 'node:crypto';
import { reasonOf } from '../messages.ts';
import { packageVersion } from '../package-version.ts';

/** How long the receiver has to answer, in ms, and how much of its answer is read, in characters. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 200;

/**
 * POSTs a JSON body once, at `now` (Unix seconds), and resolves to what came back. With a secret (`whsec_` and Base64), it
 * is signed. It follows no redirect.
 * @throws Error whose message is safe to show to clients: it names no part of the URL.
 */
export async function post(
  { url, secret }: { url: string; secret?: string },
  id: string,
  body: string,
  now: number,
  closing?: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<{ status: number; text: string }> {
  const timestamp = String(Math.floor(now));
  const headers = {
    'content-type': 'application/json',
    'user-agent': `Vitrine/${packageVersion()}`,
    ...(secret && {
      'webhook-id': id,
      'webhook-timestamp': timestamp,
      'webhook-signature': signature(secret, id, timestamp, body),
    }),
  };
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = closing ? AbortSignal.any([timeout, closing]) : timeout;
  try {
    const answer = await fetch(url, { method: 'POST', headers, body, signal, redirect: 'manual' });
    const reader = answer.body?.getReader();
    // The status has come, which is what counts.
    const start = await reader?.read().catch(() => undefined);
    reader?.cancel().catch(() => {});
    const text = Buffer.from(start?.value ?? []).toString();
    return { status: answer.status, text: text.slice(0, MAX_ANSWER) };
  } catch (error) {
    if (timeout.aborted) throw new Error(`the receiver did not answer within ${timeoutMs / 1000} s`);
    throw new Error(`the receiver cannot be reached: ${reasonOf(error)}`, { cause: error });
  }
}

/** Why the receiver has not taken a message; undefined if it has. */
export function refusalOf({ status }: { status: number }): string | undefined {
  return status >= 200 && status <= 299 ? undefined : `the receiver answered ${status}`;
}

/** Signs as Standard Webhooks says: https://github.com/standard-webhooks/standard-webhooks. */
export function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
