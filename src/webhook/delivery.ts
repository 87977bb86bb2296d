import { createHmac } from 'node:crypto';
import { once } from 'node:events';
import { type IncomingMessage, request as requestPlain } from 'node:http';
import { request as requestTls } from 'node:https';
import { type Log, reasonOf } from '../messages.ts';
import { packageVersion } from '../package-version.ts';
import { rfc3339 } from '../time-zone.ts';

/** Where messages go. Those to a receiver with a secret (`whsec_` and Base64) are signed. */
export interface Receiver {
  url: string;
  secret?: string;
}

/** The time in Unix seconds, and pauses in ms, which reject when they are aborted. */
export interface Clock {
  now(): number;
  sleep(ms: number, signal: AbortSignal): Promise<unknown>;
}

/** What a receiver has to hear. */
export interface Message {
  /** The same at every try. */
  id: string;
  payload: object;
  /** Called once the receiver has taken it, or it is given up. */
  taken(): Promise<void>;
}

/** The first pause between two tries, in ms. Each later one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A message is given up after a week, in seconds: by then, no cache keeps what it would purge. */
const GIVE_UP_SECONDS = 604_800;
/** How long the receiver has to answer, in ms, and how much of its answer is read, in characters. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 200;

/**
 * POSTs a JSON body once, at `now` (Unix seconds), and resolves to what came back. It follows no redirect.
 * @throws Error whose message is safe to show to clients: it names no part of the URL.
 */
export async function post(
  { url, secret }: Receiver,
  id: string,
  body: string,
  now: number,
  closing?: AbortSignal,
  timeoutMs = TIMEOUT_MS,
): Promise<{ status: number; text: string }> {
  const timestamp = String(Math.floor(now));
  const signed = secret && {
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': signature(secret, id, timestamp, body),
  };
  const length = { 'content-length': Buffer.byteLength(body) };
  const agent = { 'user-agent': `Vitrine/${packageVersion()}` };
  const headers = { 'content-type': 'application/json', ...length, ...agent, ...signed };
  const timeout = AbortSignal.timeout(timeoutMs);
  const signal = AbortSignal.any([timeout, ...(closing ? [closing] : [])]);
  const request = url.startsWith('https:') ? requestTls : requestPlain;
  // The error of a later abort is nobody's.
  const sent = request(url, { method: 'POST', headers, signal, agent: false }).on('error', () => {});
  try {
    const [answer] = (await once(sent.end(body), 'response')) as [IncomingMessage];
    return { status: answer.statusCode ?? 0, text: await beginningOf(answer) };
  } catch (error) {
    if (timeout.aborted) throw new Error(`the receiver did not answer within ${timeoutMs / 1000} s`);
    throw new Error(`the receiver cannot be reached: ${reasonOf(error)}`, { cause: error });
  }
}

/** Signs as Standard Webhooks says: https://github.com/standard-webhooks/standard-webhooks. */
export function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}

async function beginningOf(answer: IncomingMessage): Promise<string> {
  let text = '';
  try {
    for await (const chunk of answer.setEncoding('utf8')) {
      text += chunk;
      if (text.length >= MAX_ANSWER) break;
    }
  } catch {
    // The status has come, which is what counts.
  }
  return text.slice(0, MAX_ANSWER);
}

/** Sends what is `next`, one message after the other, each until the receiver has taken it or another one is next. */
export function openSender(
  receiver: Receiver,
  next: () => Message | undefined,
  clock: Clock,
  log: Log,
  signal: AbortSignal,
) {
  const { host } = new URL(receiver.url);
  let running: Promise<void> | undefined;
  let failure: { since: string; fault: string } | undefined;
  /** The message that was tried last, and since when. */
  let tried = { id: '', since: 0 };
  const delivered = { count: 0, last: undefined as number | undefined };
  /** Returns whether the message is done. */
  const attempt = async ({ id, payload }: Message): Promise<boolean> => {
    if (id !== tried.id) tried = { id, since: clock.now() };
    try {
      const { status } = await post(receiver, id, JSON.stringify(payload), clock.now(), signal);
      if (status < 200 || status > 299) throw new Error(`the receiver answered ${status}`);
      if (failure) log.info(`${host} takes webhooks again, after failures since ${failure.since}`);
      failure = undefined;
      delivered.count += 1;
      delivered.last = clock.now();
      return true;
    } catch (error) {
      if (signal.aborted) return false;
      const fault = reasonOf(error);
      if (!failure) log.warn(`webhooks to ${host} fail, retrying: ${fault}`);
      failure = { since: failure?.since ?? rfc3339(clock.now()), fault };
      if (clock.now() - tried.since < GIVE_UP_SECONDS) return false;
      log.error(`gave up the webhook of ${rfc3339(tried.since)} to ${host}`);
      return true;
    }
  };
  const run = async () => {
    let pause = FIRST_PAUSE_MS;
    for (let message = next(); message && !signal.aborted; message = next()) {
      if (await attempt(message)) {
        pause = FIRST_PAUSE_MS;
        await message.taken();
      } else {
        await clock.sleep(pause, signal).catch(() => {});
        pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
    running = undefined;
  };
  return {
    start() {
      // If there is nothing to send, `run` ends before it is assigned.
      if (!running && next()) running = run();
    },
    isWaiting: () => running !== undefined,
    delivered,
    fault: () => failure && `webhooks to ${host} have failed since ${failure.since}: ${failure.fault}`,
    ended: async () => running,
  };
}
