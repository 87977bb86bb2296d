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
import { type CatalogEvent, chatText, digest, eventOf, scheduledTags } from './events.ts';

/** Where the news comes from, and where it goes: a URL is empty for none. */
export interface WebhookOptions
  extends Pick<Settings, 'chatUrl' | 'webhookUrl' | 'webhookSecret' | 'stateDir'> {
  status(): CatalogStatus;
  clock: Clock;
}

/** Announces to `CHAT_URL` and `WEBHOOK_URL` what is true of the catalogs, at least once. */
export type Webhook = Awaited<ReturnType<typeof openWebhook>>;
export type WebhookHealth = ReturnType<Webhook['health']>;

/**
 * What a receiver has taken last: the served version (empty if another one may have been served since then), scheduled
 * changes up to a moment (Unix seconds), and the key of the event.
 */
type Announced = { version: string; until: number; event: string };
const NOTHING: Announced = { version: '', until: 0, event: '' };

/** A set waits this long until it is remembered, in ms. */
const REMEMBER_MS = 3_000;
/** Timers of Node have a limit; this also bounds how late a change of the clock is seen. */
const LONGEST_TIMER_MS = 60_000;

/** Goes on from what was announced last. This process must have the lock of `stateDir`. */
export async function openWebhook(
  { chatUrl, webhookUrl, webhookSecret, stateDir, status, clock }: WebhookOptions,
  log: Log,
) {
  const path = join(stateDir, 'announced.json');
  // A broken file is as good as none: everything is purged then.
  const known = await readFile(path, 'utf8')
    .then(JSON.parse)
    .catch(() => ({}));
  const hook: Announced = { ...NOTHING, ...known[digest(webhookUrl)] };
  const chat: Announced = { ...NOTHING, ...known[digest(chatUrl)] };
  const closing = new AbortController();
  let timer = new AbortController();
  /** The set that the webhook announced last, undefined if it is not known, and those that were served after it. */
  let sets: (Snapshot | undefined)[] = [];
  /** The version that is about to be served. */
  let upcoming: string | undefined;
  let event: CatalogEvent | undefined;
  /** The last message, which is the same at every try. */
  let made = { content: '', id: '', timestamp: '' };
  let saved = Promise.resolve();

  /** One after the other, since all write the same file. */
  const save = () => {
    saved = saved
      .then(async () => {
        const version = upcoming === undefined && sets.length < 2 ? hook.version : '';
        const all = { [digest(webhookUrl)]: { ...hook, version }, [digest(chatUrl)]: chat };
        await writeWhole(systemFs, path, `${JSON.stringify(all)}\n`);
        await syncDirectory(systemFs, stateDir);
      })
      .catch(error => log.error(`cannot remember webhooks in ${stateDir}: ${reasonOf(error)}`));
    return saved;
  };

  /** What to purge: everything, unless all that was served since the last purge is known. */
  const tagsAt = (time: number): readonly string[] => {
    const [before, current] = sets;
    const [from, to] = [Math.min(hook.until, time), Math.max(hook.until, time)];
    const scheduled = before ? scheduledTags(before, from, to) : [];
    if (!current) return scheduled;
    const { from: compared, tags = everything } = status().served?.report.changes ?? {};
    if (!before || before.version !== compared) return everything;
    // What has come since the two were compared is scheduled in the one that came.
    return [...new Set([...tags, ...scheduled, ...scheduledTags(current, from, to)])];
  };
  /** First the served set and the tags to purge, then what is refused or held back. */
  const nextForHook = (): Message | undefined => {
    const [time, set] = [clock.now(), sets.at(-1)];
    const tags = tagsAt(time);
    const isOther = sets.length > 1;
    const isServed = isOther || tags.length > 0;
    if (!event || (!isServed && event.key === hook.event)) return undefined;
    const { key, data } = event;
    const isTrouble = event.type === 'refused' || event.type === 'held';
    const type = isServed ? (isOther ? (isTrouble ? 'live' : event.type) : 'scheduled') : event.type;
    const isEvent = type === event.type;
    const version = set?.version ?? '';
    const all = { version: version || null, tags, ...(isEvent && data) };
    const content = JSON.stringify([type, all, hook]);
    if (content !== made.content) made = { content, id: `msg_${randomUUID()}`, timestamp: rfc3339(time) };
    const { id, timestamp } = made;
    const payload: WebhookPayload = { type: `catalog.${type}`, timestamp, data: all };
    const taken = () => {
      sets.splice(0, sets.indexOf(set));
      Object.assign(hook, { version, until: time, ...(isEvent && { event: key }) });
      return save();
    };
    return { id, payload, taken };
  };
  const nextForChat = (): Message | undefined => {
    if (!event || event.key === chat.event) return undefined;
    const { key, lines } = event;
    const taken = () => {
      chat.event = key;
      return save();
    };
    return { id: key, payload: { text: chatText(lines) }, taken };
  };
  const open = (receiver: Receiver, next: () => Message | undefined) =>
    receiver.url === '' ? [] : [openSender(receiver, next, clock, log, closing.signal)];
  const senders = [
    ...open({ url: webhookUrl, secret: webhookSecret }, nextForHook),
    ...open({ url: chatUrl }, nextForChat),
  ];

  const notice = () => {
    if (closing.signal.aborted) return;
    const [state, time] = [status(), clock.now()];
    const current = state.served?.snapshot;
    event = eventOf(state) ?? event;
    // If one set was missed, everything is purged: more make no difference.
    if (current && (sets.at(-1)?.version ?? hook.version) !== current.version)
      sets = sets.length < 2 ? [sets[0], current] : [undefined, sets.at(-1), current];
    else if (current && sets.length === 0) sets = [current];
    if (current?.version === upcoming) upcoming = undefined;
    timer.abort();
    timer = new AbortController();
    const seconds = current ? publishedNews(current, time).until - time : Number.POSITIVE_INFINITY;
    const pause = Math.min(Math.max(0, seconds) * 1000, LONGEST_TIMER_MS);
    void clock.sleep(pause, timer.signal).then(notice, () => {});
    for (const { start } of senders) start();
  };
  return {
    /** Announces what is true now, if that is news. */
    notice,
    /** Once it resolves, a crash does not lose that this set may be served. It does not wait for a disk that hangs or is full. */
    async remember({ version }: Snapshot): Promise<void> {
      if (webhookUrl === '' || (version === hook.version && sets.length < 2)) return;
      upcoming = version;
      await Promise.race([save(), delay(REMEMBER_MS, undefined, { ref: false })]);
    },
    health: () => ({
      /** Receivers that have not taken the last news yet. */
      waiting: senders.filter(({ isWaiting }) => isWaiting()).length,
      /** Messages delivered since the start, and when the last one was, in Unix seconds. */
      delivered: senders.reduce((sum, { delivered }) => sum + delivered.count, 0),
      lastDelivery: senders
        .flatMap(({ delivered }) => delivered.last ?? [])
        .sort()
        .at(-1),
      /** What is wrong, one sentence each. */
      reasons: senders.flatMap(({ fault }) => fault() ?? []),
    }),
    async close(): Promise<void> {
      timer.abort();
      closing.abort();
      await Promise.all(senders.map(({ ended }) => ended()));
      await saved;
    },
  };
}
