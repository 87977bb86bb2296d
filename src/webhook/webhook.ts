import { createHmac, hash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { type Clock, systemClock } from '../clock.ts';
import { kindTags, MAX_NARROW, productTag, type WebhookPayload } from '../contract/webhook.ts';
import { type Fs, syncDirectory, systemFs, unlessMissing, writeWhole } from '../files/atomic-write.ts';
import {
  formatHolds,
  formatProblems,
  holdReasons,
  howToConfirm,
  newChanges,
  problemsOf,
} from '../live/report.ts';
import type { CatalogStatus } from '../live/status.ts';
import { type Log, plural, reasonOf } from '../messages.ts';
import { packageVersion } from '../package-version.ts';
import { publishedNews } from '../query/news.ts';
import { pricesAt } from '../query/prices.ts';
import { MAX_CACHE_SECONDS, type Settings } from '../settings/settings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';

export type Webhook = Awaited<ReturnType<typeof openWebhook>>;
export type WebhookHealth = ReturnType<Webhook['health']>;

/**
 * What a receiver took last: the version (empty if another one may have been served since), the moment of the last
 * scheduled change of news and that of prices (Unix seconds), and the key of the event: null after it refused one, which it may show all the same.
 */
const NOTHING = { version: '', from: 0, prices: 0, event: '' as string | null };
const SCHEDULED_TAGS = ['news', 'images'];
/** The first pause between two attempts, in ms. Each later one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
/** The longest pause, also before the next look: timers of Node have a limit, and the clock may be set. */
const LONGEST_PAUSE_MS = 60_000;
/** The longest that a set waits until it is remembered, in ms. */
const REMEMBER_MS = 3_000;

/**
 * Announces to `CHAT_URL` and `WEBHOOK_URL` what is true of the catalogs, at least once, and goes on from what each took
 * last. This process must have the lock of `stateDir`.
 */
export async function openWebhook(
  settings: Pick<Settings, 'chatUrl' | 'webhookUrl' | 'webhookSecret' | 'stateDir'>,
  status: () => CatalogStatus,
  log: Log,
  world: Partial<{ clock: Clock; fs: Fs; deliver: typeof post }> = {},
) {
  const { clock = systemClock, fs = systemFs, deliver = post } = world;
  const { chatUrl, webhookUrl, webhookSecret, stateDir } = settings;
  const path = join(stateDir, 'announced.json');
  const read = fs.readFile(path, 'utf8').catch(unlessMissing);
  // Undefined if it cannot be read: receivers may show anything.
  const known = await read.then(text => Object(JSON.parse(text ?? '{}'))).catch(() => undefined);
  // Without a version, everything is purged.
  const nothing = { ...NOTHING, ...(known === undefined && { event: null }) };
  const recall = (role: 'webhook' | 'chat', url: string) => {
    const digest = hash('sha256', url);
    // Former versions had no roles: of two receivers with one URL, they remembered the chat.
    const former = role === 'webhook' && url === chatUrl ? undefined : known?.[digest];
    const { url: of = digest, ...taken } = (known?.webhook ? known[role] : former) ?? {};
    return { url: digest, ...nothing, ...(of === digest && taken) };
  };
  const hook = recall('webhook', webhookUrl);
  const chat = recall('chat', chatUrl);
  let event: CatalogEvent | undefined;
  let served: Snapshot | undefined;
  /** The version that is about to be served. */
  let upcoming: string | undefined;
  /** What to purge besides scheduled changes: what has changed since the webhook took something last. */
  let purge: readonly string[] = [];
  let saved = Promise.resolve();
  /** Why the last save failed; undefined if it did not. */
  let unsaved: string | undefined;
  let delivered = { count: 0, last: undefined as number | undefined };
  const closing = new AbortController();
  let timer = new AbortController();

  /** One after the other, since all write the same file. */
  const save = () => {
    const write = async () => {
      const version = upcoming === undefined && purge.length === 0 ? hook.version : '';
      await writeWhole(fs, path, JSON.stringify({ webhook: { ...hook, version }, chat }));
      await syncDirectory(fs, stateDir);
    };
    const succeed = () => {
      if (unsaved !== undefined) log.info('what webhooks announced is remembered again');
      unsaved = undefined;
    };
    const fail = (error: unknown) => {
      const fault = `cannot remember what webhooks announced: ${reasonOf(error)}`;
      if (unsaved === undefined) log.error(fault);
      unsaved = fault;
    };
    saved = saved.then(write).then(succeed, fail);
    return saved;
  };
  /** When news and prices changed last by themselves, and the tags of what they have changed since then. */
  const scheduled = () => {
    if (!served) return { from: hook.from, prices: hook.prices, tags: [] };
    const from = Math.max(0, publishedNews(served, clock.now()).from);
    const prices = Math.max(0, pricesAt(served, clock.now()).from);
    const ofNews = from === hook.from ? [] : SCHEDULED_TAGS;
    return { from, prices, tags: [...ofNews, ...priceTags(served, hook.prices, prices)] };
  };

  /** First the served set and the tags to purge, then what is refused or held back. */
  const nextWebhook = () => {
    const [version, { tags: due, ...last }, sent] = [served?.version ?? '', scheduled(), purge];
    const isOther = purge.length > 0 || (served !== undefined && version !== hook.version);
    const isScheduled = due.length > 0;
    if (!event || !(isOther || isScheduled || event.key !== hook.event)) return undefined;
    const ofServed = event.type === 'rolled_back' ? event.type : 'live';
    const type = isOther ? ofServed : isScheduled ? 'scheduled' : event.type;
    const tags = [...new Set([...purge, ...due])];
    const announced = type === event.type ? event : undefined;
    const data = { version: version || null, tags, ...announced?.data };
    return {
      key: JSON.stringify([type, data]),
      isEvent: announced !== undefined,
      payload: (timestamp: string): WebhookPayload => ({ type: `catalog.${type}`, timestamp, data }),
      done() {
        if (purge === sent) purge = [];
        Object.assign(hook, { version, ...last, ...(announced && { event: announced.key }) });
      },
    };
  };
  const nextText = () => {
    if (!event || event.key === chat.event) return undefined;
    const { key, lines } = event;
    const done = () => void Object.assign(chat, { event: key });
    return { key, isEvent: true, payload: () => ({ text: chatText(lines) }), done };
  };
  const receivers = [
    { url: webhookUrl, secret: webhookSecret, next: nextWebhook, taken: hook },
    { url: chatUrl, next: nextText, taken: chat },
  ].filter(({ url }) => url !== '');
  type Receiver = (typeof receivers)[number];
  const sending = new Map<Receiver, Promise<void>>();
  const failures = new Map<Receiver, string>();

  /** Sends what is next until nothing is. Repeats a message until it is taken, given up or outdated. */
  const send = async (receiver: Receiver) => {
    const { next, taken } = receiver;
    const { host } = new URL(receiver.url);
    let tried: { key: string; id: string; since: number; sinceMs: number; pause: number } | undefined;
    for (let message = next(); message && !closing.signal.aborted; message = next()) {
      const { key, isEvent, payload, done } = message;
      if (key !== tried?.key)
        tried = {
          ...{ key, id: `msg_${randomUUID()}`, since: clock.now(), sinceMs: clock.ms() },
          pause: FIRST_PAUSE_MS,
        };
      const { id, since, sinceMs, pause } = tried;
      // After a kill, the receiver may have it: what follows is news, even if it is what was true before.
      if (isEvent && taken.event !== null) {
        taken.event = null;
        await save();
      }
      const sent = deliver(
        receiver,
        id,
        JSON.stringify(payload(rfc3339(since))),
        clock.now(),
        closing.signal,
      );
      const fault = await sent.then(refusalOf, reasonOf);
      // By then, no cache keeps what a message would purge.
      const isOver = clock.ms() - sinceMs >= MAX_CACHE_SECONDS * 1_000;
      if (fault === undefined) {
        delivered = { count: delivered.count + 1, last: clock.now() };
        if (failures.delete(receiver)) log.info(`webhooks to ${host} arrive again`);
      } else if (!closing.signal.aborted) {
        const failure = `webhooks to ${host} fail: ${fault}`;
        if (!failures.has(receiver)) log.warn(failure);
        failures.set(receiver, failure);
        if (isOver) log.error(`gave up on the webhook of ${rfc3339(since)} to ${host}`);
      }
      if (fault === undefined || isOver) {
        done();
        tried = undefined;
        await save();
      } else {
        await clock.sleep(pause, closing.signal, false).catch(() => {});
        tried.pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
      }
    }
    sending.delete(receiver);
  };
  /** Announces what is true now, if that is news. */
  const notice = () => {
    if (closing.signal.aborted) return;
    const [state, time, before, due] = [status(), clock.now(), served, scheduled().tags];
    event = eventOf(state) ?? event;
    served = state.served?.snapshot ?? before;
    if (served && served.version !== (before?.version ?? hook.version)) {
      const { from, tags = kindTags } = state.served?.report.changes ?? {};
      const isKnown = before && before.version === from && purge.length === 0;
      purge = [...(isKnown ? tags : kindTags), ...due];
    }
    if (served?.version === upcoming) upcoming = undefined;
    if (unsaved !== undefined) void save();
    for (const receiver of receivers)
      if (!sending.has(receiver) && receiver.next()) sending.set(receiver, send(receiver));
    timer.abort();
    timer = new AbortController();
    const until = served && Math.min(publishedNews(served, time).until, pricesAt(served, time).until);
    const pause = until === undefined ? LONGEST_PAUSE_MS : Math.max(0, until - time) * 1_000;
    void clock.sleep(Math.min(pause, LONGEST_PAUSE_MS), timer.signal, false).then(notice, () => {});
  };
  return {
    notice,
    /** Once it resolves, a crash does not lose that this set may be served. It does not wait for a disk that hangs or is full. */
    async remember({ version }: Snapshot): Promise<void> {
      if (webhookUrl === '' || (version === hook.version && purge.length === 0)) return;
      upcoming = version;
      await Promise.race([save(), clock.sleep(REMEMBER_MS, undefined, false)]);
    },
    /** How many receivers wait for a message and how many messages they took; when, in Unix seconds; what is wrong. */
    health: () => ({
      waiting: sending.size,
      delivered: delivered.count,
      lastDelivery: delivered.last,
      reasons: [...new Set([...failures.values(), ...(unsaved === undefined ? [] : [unsaved])])],
    }),
    async close(): Promise<void> {
      timer.abort();
      closing.abort();
      await Promise.all(sending.values());
      await saved;
    },
  };
}

/** The tags of the products whose prices change between two moments, in either direction. */
function priceTags({ prices }: Snapshot, one: number, other: number): string[] {
  const isBetween = (date: number) => Math.min(one, other) < date && date <= Math.max(one, other);
  const dates = prices.valid_from ?? [];
  const products = new Set(prices.product_id.filter((_, row) => isBetween(dates[row] ?? 0)));
  return products.size > MAX_NARROW ? ['configurations', 'prices'] : Array.from(products, productTag);
}

/** What is true of the catalogs, as their owner wants to hear it. */
type CatalogEvent = ReturnType<typeof event>;

/** The most problems of a refused set. */
const MAX_PROBLEMS = 5;
/** The most characters of a text. Discord refuses more than 2,000. */
const MAX_TEXT = 1_900;
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '@\u200b' };

/** What to announce; undefined while nothing is sure. */
export function eventOf({ served, attempt, held, pinned }: CatalogStatus): CatalogEvent | undefined {
  const still = served ? `Version ${served.snapshot.version} is still served.` : 'Nothing is served yet.';
  if (pinned) {
    const { version, fault } = pinned;
    const effect = fault
      ? `It cannot be served: ${fault}. ${still}`
      : "Changed files are not loaded until you run 'vitrine unpin'.";
    return event('rolled_back', [`Version ${version} is pinned. ${effect}`]);
  }
  if (held) {
    const { version, report } = held;
    const lines = [`Version ${version} is held back. ${still}`, ...formatHolds(report), howToConfirm(held)];
    return event('held', lines, { held: { version, reasons: holdReasons(report) } });
  }
  if (attempt?.outcome === 'failed') {
    const { problems, errors } = problemsOf(attempt.report);
    const line = `The changed files were refused: ${plural(errors, 'error')}. ${still}`;
    const lines = [line, ...formatProblems(attempt.report)];
    const refused = event('refused', lines, { problems: problems.slice(0, MAX_PROBLEMS) });
    return { ...refused, lines: lines.slice(0, MAX_PROBLEMS + 1) };
  }
  if (!served || attempt?.outcome === 'pending') return undefined;
  const changes = newChanges(served.report);
  const line = `Version ${served.snapshot.version} is live${changes ? `: ${changes}` : ''}.`;
  return event('live', [line], changes ? { changes } : {}, '');
}

function event(
  type: 'live' | 'refused' | 'held' | 'rolled_back',
  lines: string[],
  data: Omit<WebhookPayload['data'], 'version' | 'tags'> = {},
  /** The same as long as there is no news; empty if all is well. */
  key = hash('sha256', `${type} ${lines.join()}`),
) {
  return { type, key, lines, data };
}

/** A text for a chat, in which cells are neither markup nor names that are pinged. */
export function chatText(lines: readonly string[]): string {
  const escaped = lines.join('\n').replace(/[&<>@]/g, sign => ESCAPES[sign as keyof typeof ESCAPES]);
  // Whole lines, so that no escape is cut.
  return escaped.length <= MAX_TEXT ? escaped : `${escaped.slice(0, escaped.lastIndexOf('\n', MAX_TEXT))}\n…`;
}

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
