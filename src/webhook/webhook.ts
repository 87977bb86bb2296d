import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import type { WebhookPayload } from '../contract/webhook.ts';
import { syncDirectory, systemFs, writeWhole } from '../files/atomic-write.ts';
import type { CatalogStatus } from '../live/status.ts';
import { type Log, reasonOf } from '../messages.ts';
import { publishedNews } from '../query/news.ts';
import { everything } from '../set/compare/tags.ts';
import type { Settings } from '../settings/settings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';

import { type Clock, type Message, openSender, type Receiver } from './delivery.ts';
import { type CatalogEvent, chatText, digest, eventOf } from './events.ts';
import { scheduledTags } from './scheduled-tags.ts';

/** Announces to `CHAT_URL` and `WEBHOOK_URL` what is true of the catalogs, at least once. */
export interface Webhook {
  /** Once it resolves, a crash does not lose that this set may be served. It does not wait for a disk that hangs or is full. */
  remember(next: Snapshot): Promise<void>;
  /** Announces what is true now, if that is news. */
  notice(): void;
  health(): WebhookHealth;
  close(): Promise<void>;
}

/** How announcing goes. */
export interface WebhookHealth {
  /** Receivers that have not taken the last news yet. */
  waiting: number;
  /** Messages delivered since the start. */
  delivered: number;
  /** When the last one was delivered, in Unix seconds. */
  lastDelivery: number | undefined;
  /** What is wrong, one sentence each. */
  reasons: string[];
}

/** Where the news comes from, and where it goes: a URL is empty for none. */
export interface WebhookOptions
  extends Pick<Settings, 'chatUrl' | 'webhookUrl' | 'webhookSecret' | 'stateDir'> {
  status(): CatalogStatus;
  clock: Clock;
}

/** What a receiver has taken last. */
interface Announced {
  /** The served version; empty if another one may have been served since then. */
  version: string;
  /** Scheduled changes up to this moment, in Unix seconds. */
  until: number;
  /** The key of the event. */
  event: string;
}

/** A set waits this long until it is remembered, in ms. */
const REMEMBER_MS = 3_000;
/** Timers of Node have a limit; this also bounds how late a change of the clock is seen. */
const LONGEST_TIMER_MS = 60_000;

/** Goes on from what was announced last. This process must have the lock of `stateDir`. */
export async function openWebhook(
  { chatUrl, webhookUrl, webhookSecret, stateDir, status, clock }: WebhookOptions,
  log: Log,
): Promise<Webhook> {
  const path = join(stateDir, 'announced.json');
  // A broken file is as good as none: everything is purged then.
  const known: Record<string, Partial<Announced>> = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  const announcedTo = (url: string): Announced => ({
    version: '',
    until: 0,
    event: '',
    ...known[digest(url)],
  });
  const hook = announcedTo(webhookUrl);
  const chat = announcedTo(chatUrl);
  const closing = new AbortController();
  /** The set that was looked at last, until when, and what was true then. */
  let seen: Snapshot | undefined;
  let { until } = hook;
  let event: CatalogEvent | undefined;
  /** The last news, for the ids of its messages. */
  let news = { id: '', time: 0 };
  /** The tags of which no message was taken, and those that came after the last message was made. */
  let owed: readonly string[] = [];
  let fresh: readonly string[] = [];
  /** The version that may be served and is not announced. */
  let upcoming: string | undefined;
  let saved = Promise.resolve();
  let unsaved: string | undefined;
  let timer = new AbortController();

  /** One after the other, since all write the same file. */
  const save = () => {
    saved = saved
      .then(async () => {
        const version = upcoming === undefined ? hook.version : '';
        const all = { [digest(webhookUrl)]: { ...hook, version }, [digest(chatUrl)]: chat };
        await writeWhole(systemFs, path, `${JSON.stringify(all)}\n`);
        await syncDirectory(systemFs, stateDir);
        unsaved = undefined;
      })
      .catch(error => {
        if (!unsaved) log.error(`cannot remember webhooks in ${stateDir}: ${reasonOf(error)}`);
        unsaved = reasonOf(error);
      });
    return saved;
  };

  const nextForHook = (): Message | undefined => {
    const isOther = seen !== undefined && seen.version !== hook.version;
    const isServed = isOther || owed.length > 0;
    if (!event || (!isServed && event.key === hook.event)) return undefined;
    const { key, data } = event;
    const isTrouble = event.type === 'refused' || event.type === 'held';
    const served = isOther || upcoming ? (isTrouble ? 'live' : event.type) : 'scheduled';
    const type = isServed ? served : event.type;
    const isEvent = type === event.type;
    const [version, time, tags] = [seen?.version, until, owed];
    fresh = [];
    return {
      id: `msg_${news.id}_${type}`,
      since: news.time,
      payload: {
        type: `catalog.${type}`,
        timestamp: rfc3339(news.time),
        data: { version: version ?? null, tags, ...(isEvent && data) },
      } satisfies WebhookPayload,
      taken() {
        owed = fresh;
        Object.assign(hook, { version: version ?? '', until: time, ...(isEvent && { event: key }) });
        if (owed.length === 0 && version === upcoming) upcoming = undefined;
        return save();
      },
    };
  };
  const nextForChat = (): Message | undefined => {
    if (!event || event.key === chat.event) return undefined;
    const { key, lines } = event;
    return {
      ...{ id: news.id, since: news.time, payload: { text: chatText(lines) } },
      taken() {
        chat.event = key;
        return save();
      },
    };
  };
  const open = (receiver: Receiver, next: () => Message | undefined) =>
    receiver.url === '' ? [] : [openSender(receiver, next, clock, log, closing.signal)];
  const senders = [
    ...open({ url: webhookUrl, secret: webhookSecret }, nextForHook),
    ...open({ url: chatUrl }, nextForChat),
  ];

  const look = ({ served }: CatalogStatus, now: CatalogEvent | undefined, time: number) => {
    const current = served?.snapshot;
    const before = seen ?? (current?.version === hook.version ? current : undefined);
    const scheduled = (of: Snapshot) => scheduledTags(of, Math.min(until, time), Math.max(until, time));
    const tags = new Set(before && scheduled(before));
    const isOther = current !== undefined && before?.version !== current.version;
    if (isOther) {
      const { from, tags: changed = everything } = served?.report.changes ?? {};
      // What has come since the two were compared is scheduled in the one that came.
      const all = before && from === before.version ? [...changed, ...scheduled(current)] : everything;
      for (const tag of all) tags.add(tag);
    }
    if (isOther || tags.size > 0 || (now && now.key !== event?.key)) news = { id: randomUUID(), time };
    owed = [...new Set([...owed, ...tags])];
    fresh = [...new Set([...fresh, ...tags])];
    [seen, until, event] = [current, time, now ?? event];
  };
  const notice = () => {
    if (closing.signal.aborted) return;
    const [state, time] = [status(), clock.now()];
    const current = state.served?.snapshot;
    timer.abort();
    timer = new AbortController();
    const seconds = current ? publishedNews(current, time).until - time : Number.POSITIVE_INFINITY;
    const pause = Math.min(Math.max(0, seconds) * 1000, LONGEST_TIMER_MS);
    void clock.sleep(pause, timer.signal).then(notice, () => {});
    if (unsaved) void save();
    look(state, eventOf(state), time);
    for (const { start } of senders) start();
  };
  return {
    notice,
    async remember({ version }) {
      if (webhookUrl === '' || (version === hook.version && owed.length === 0)) return;
      upcoming = version;
      await Promise.race([save(), delay(REMEMBER_MS, undefined, { ref: false })]);
    },
    health: () => ({
      waiting: senders.filter(({ isWaiting }) => isWaiting()).length,
      delivered: senders.reduce((sum, { delivered }) => sum + delivered().count, 0),
      lastDelivery: senders
        .map(({ delivered }) => delivered().last)
        .sort()
        .at(-1),
      reasons: [
        ...senders.flatMap(({ fault }) => fault() ?? []),
        ...(unsaved ? [`webhooks cannot be remembered: ${unsaved}`] : []),
      ],
    }),
    async close() {
      timer.abort();
      closing.abort();
      await Promise.all(senders.map(({ ended }) => ended()));
      await saved;
    },
  };
}
