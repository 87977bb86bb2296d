// Notifications of the catalogs: to a chat (`CHAT_URL`) for people, and to a webhook (`WEBHOOK_URL`) for caches and programs.
//
// An event is what is true now: a set is live, refused or held back, or a version is pinned. There is no queue. `announce.ts`
// decides what a receiver does not know yet; this file sends it, repeats it until it is accepted, and saves in
// `STATE_DIR/announced.json` what each receiver has. Each set is saved as upcoming before it is served.
//
import { createHmac, randomUUID } from 'node:crypto';
import { dirname, join } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { type Fs, syncDirectory, systemFs, unlessMissing, writeWhole } from '../files/atomic-write.ts';
import type { CatalogStatus } from '../live/status.ts';
import { type Log, reasonOf } from '../messages.ts';
import { packageVersion } from '../package-version.ts';
import { publishedNews } from '../query/news.ts';
import { pricesAt } from '../query/prices.ts';
import { MAX_CACHE_SECONDS, type Settings } from '../settings/settings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';
import { nextMessage, noticed, type Role, recall, roles, took, toRemember } from './announce.ts';

export type Webhook = Awaited<ReturnType<typeof openWebhook>>;
export type WebhookHealth = ReturnType<Webhook['health']>;

/** The first pause before a retry, in ms. It doubles with each attempt, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
/** Also the longest wait until the next check: timers of Node have a limit, and the clock may be set. */
const LONGEST_PAUSE_MS = 60_000;
/** How long a set may wait for its version to be saved before it is served, in ms. */
const REMEMBER_MS = 3_000;

/** What a test can replace. By default, each part is that of the system. */
type World = Partial<{ clock: Clock; fs: Fs; deliver: typeof post }>;
type Receiving = Pick<Settings, 'chatUrl' | 'webhookUrl' | 'webhookSecret' | 'stateDir'>;

/** Sends events to `CHAT_URL` and `WEBHOOK_URL`, at least once. This process must have the lock of `stateDir`. */
export async function openWebhook(
  settings: Receiving,
  status: () => CatalogStatus,
  log: Log,
  world: World = {},
) {
  const mail = await openMail(settings, log, world);
  const { clock, closing, sending, failures } = mail;
  let timer = new AbortController();
  /** Sends what has changed. */
  const notice = () => {
    if (closing.signal.aborted) return;
    const [found, now] = [status(), clock.now()];
    mail.state = noticed(mail.state, found, now);
    if (mail.unsaved !== undefined) void save(mail);
    for (const role of roles) if (!sending.has(role) && next(mail, role)) sending.set(role, send(mail, role));
    timer.abort();
    timer = new AbortController();
    const { served } = mail.state;
    const until = served && Math.min(publishedNews(served, now).until, pricesAt(served, now).until);
    const pause = until === undefined ? LONGEST_PAUSE_MS : Math.max(0, until - now) * 1_000;
    void clock.sleep(Math.min(pause, LONGEST_PAUSE_MS), timer.signal, false).then(notice, () => {});
  };
  return {
    notice,
    /** Saves that this version may be served, in case of a kill. Does not wait for a disk that hangs or is full. */
    async remember({ version }: Snapshot): Promise<void> {
      const { taken, purge } = mail.state;
      if (settings.webhookUrl === '' || (version === taken.webhook.version && purge.length === 0)) return;
      mail.state = { ...mail.state, upcoming: version };
      await Promise.race([save(mail), clock.sleep(REMEMBER_MS, undefined, false)]);
    },
    /** How many receivers wait, how many messages were delivered, when the last was (Unix seconds), and what fails. */
    health: () => ({
      waiting: sending.size,
      delivered: mail.delivered,
      lastDelivery: mail.lastDelivery,
      reasons: [...new Set([...failures.values(), ...(mail.unsaved === undefined ? [] : [mail.unsaved])])],
    }),
    async close(): Promise<void> {
      timer.abort();
      closing.abort();
      await Promise.all(sending.values());
      await mail.saved;
    },
  };
}

type Mail = Awaited<ReturnType<typeof openMail>>;

async function openMail(
  settings: Receiving,
  log: Log,
  { clock = systemClock, fs = systemFs, deliver = post }: World,
) {
  const { chatUrl, webhookUrl, webhookSecret, stateDir } = settings;
  const path = join(stateDir, 'announced.json');
  const text = fs.readFile(path).catch(unlessMissing);
  const known = await text.then(found => Object(JSON.parse(String(found ?? '{}')))).catch(() => undefined);
  return {
    ...{ clock, fs, deliver, log, path },
    receivers: { webhook: { url: webhookUrl, secret: webhookSecret }, chat: { url: chatUrl } },
    state: recall(known, settings),
    sending: new Map<Role, Promise<void>>(),
    failures: new Map<Role, string>(),
    delivered: 0,
    lastDelivery: undefined as number | undefined,
    saved: Promise.resolve(),
    /** Why the last save failed. */
    unsaved: undefined as string | undefined,
    closing: new AbortController(),
  };
}

function next({ state, receivers, clock }: Mail, role: Role) {
  return receivers[role].url === '' ? undefined : nextMessage(state, role, clock.now());
}

/** Saves the state, after all earlier saves: all write the same file. */
function save(mail: Mail): Promise<void> {
  const { fs, path, log } = mail;
  const write = async () => {
    await writeWhole(fs, path, JSON.stringify(toRemember(mail.state)));
    await syncDirectory(fs, dirname(path));
    if (mail.unsaved !== undefined) log.info('what webhooks announced is remembered again');
    mail.unsaved = undefined;
  };
  mail.saved = mail.saved.then(write).catch(error => {
    const fault = `cannot remember what webhooks announced: ${reasonOf(error)}`;
    if (mail.unsaved === undefined) log.error(fault);
    mail.unsaved = fault;
  });
  return mail.saved;
}

/** Sends messages until none is left. Repeats each until it is accepted, too old, or out of date. */
async function send(mail: Mail, role: Role): Promise<void> {
  const { clock, closing, deliver, failures, log } = mail;
  const { [role]: receiver } = mail.receivers;
  const { host } = new URL(receiver.url);
  let tried: { key: string; id: string; since: number; sinceMs: number; pause: number } | undefined;
  for (let message = next(mail, role); message && !closing.signal.aborted; message = next(mail, role)) {
    const { key, payload, isDoubtful } = message;
    const [since, sinceMs] = [clock.now(), clock.ms()];
    if (key !== tried?.key) tried = { key, id: `msg_${randomUUID()}`, since, sinceMs, pause: FIRST_PAUSE_MS };
    const [{ id, pause }, time] = [tried, rfc3339(tried.since)];
    if (isDoubtful) {
      // After a kill, the receiver may have this message, so the next one is new to it in any case.
      mail.state = took(mail.state, role, { taking: { event: null } });
      await save(mail);
    }
    const sent = deliver(receiver, id, JSON.stringify(payload(time)), clock.now(), closing.signal);
    const fault = await sent.then(refusalOf, reasonOf);
    // No cache keeps answers for longer.
    const isOver = clock.ms() - tried.sinceMs >= MAX_CACHE_SECONDS * 1_000;
    if (fault === undefined) {
      mail.delivered += 1;
      mail.lastDelivery = clock.now();
      if (failures.delete(role)) log.info(`webhooks to ${host} arrive again`);
    } else if (!closing.signal.aborted) {
      const failure = `webhooks to ${host} fail: ${fault}`;
      if (!failures.has(role)) log.warn(failure);
      failures.set(role, failure);
      if (isOver) log.error(`gave up on the webhook of ${time} to ${host}`);
    }
    if (fault === undefined || isOver) {
      tried = undefined;
      mail.state = took(mail.state, role, message);
      await save(mail);
    } else {
      await clock.sleep(pause, closing.signal, false).catch(() => {});
      tried.pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
    }
  }
  mail.sending.delete(role);
}

/** The limits of an answer: its time in ms, and the characters that are read. */
const TIMEOUT_MS = 10_000;
const MAX_ANSWER = 200;

/**
 * POSTs a JSON body once, at `now` (Unix seconds), without following redirects. A secret (`whsec_` and Base64) signs it.
 * @throws Error whose message is safe to show to clients: it contains no part of the URL.
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
    // Only the status matters.
    const start = await reader?.read().catch(() => undefined);
    reader?.cancel().catch(() => {});
    const text = Buffer.from(start?.value ?? []).toString();
    return { status: answer.status, text: text.slice(0, MAX_ANSWER) };
  } catch (error) {
    if (timeout.aborted) throw new Error(`the receiver did not answer within ${timeoutMs / 1000} s`);
    throw new Error(`the receiver cannot be reached: ${reasonOf(error)}`, { cause: error });
  }
}

/** Why a receiver did not accept a message; undefined if it did. */
export function refusalOf({ status }: { status: number }): string | undefined {
  return status >= 200 && status <= 299 ? undefined : `the receiver answered ${status}`;
}

/** Signs as Standard Webhooks specifies: https://github.com/standard-webhooks/standard-webhooks. */
export function signature(secret: string, id: string, timestamp: string, body: string): string {
  const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64');
  return `v1,${createHmac('sha256', key).update(`${id}.${timestamp}.${body}`).digest('base64')}`;
}
