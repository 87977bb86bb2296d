import { randomUUID } from 'node:crypto';
import { setTimeout as delay } from 'node:timers/promises';
import type { ChangeKind } from '../contract/webhook.ts';
import { type Log, reasonOf } from '../messages.ts';
import { publishedNews } from '../query/news.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import { rfc3339 } from '../time-zone.ts';
import { changedTags, everything, scheduledTags } from './changed-tags.ts';
import { deliver, type Receiver } from './delivery.ts';
import { openOutboxFile, type Waiting } from './outbox.ts';

/** Sends a receiver every change of the answers, in order and at least once. */
export interface Webhook {
  /**
   * Remembers the webhook of a set that is about to be served, which comes by `kind`; the next `notice` has it sent. Once it
   * resolves, a crash does not lose it. It does not wait for a disk that hangs or is full.
   */
  announce(next: Snapshot, kind: Exclude<ChangeKind, 'scheduled'>): Promise<void>;
  /** Looks whether another set is served, which came by `kind`. */
  notice(kind: Exclude<ChangeKind, 'scheduled'>): void;
  health(): WebhookHealth;
  /** Stops sending, and remembers what is left. */
  close(): Promise<void>;
}

/** How sending goes. */
export interface WebhookHealth {
  /** Webhooks that are not delivered yet. */
  waiting: number;
  /** Webhooks delivered since the start. */
  delivered: number;
  /** When the last one was delivered, in Unix seconds. */
  lastDelivery: number | undefined;
  /** What is wrong, one sentence each. */
  reasons: string[];
}

/** Where the changes come from, and where webhooks go. */
export interface WebhookOptions extends Receiver {
  /** This process must have its lock. */
  stateDir: string;
  /** The set that is served. */
  snapshot(): Snapshot | undefined;
  /** The time in Unix seconds. */
  now(): number;
}

/** The first pause between two tries, in ms. Each later one is twice as long, up to the longest. */
const FIRST_PAUSE_MS = 1_000;
const LONGEST_PAUSE_MS = 60_000;
/** A webhook is given up after a week, in seconds: by then, no cache keeps what it would purge. */
const GIVE_UP_SECONDS = 604_800;
/** When more are waiting, the oldest ones become one, */
const MAX_WAITING = 1_000;
/** which purges everything if it has more tags than this. */
const MAX_TAGS = 100;
/** A set waits this long for its webhook to be remembered, in ms. */
const REMEMBER_MS = 3_000;
/** Timers of Node have a limit; this also bounds how late a change of the clock is seen. */
const LONGEST_TIMER_MS = 60_000;

/**
 * Goes on from what the last process remembered. Call `notice` when the first set is served: it finds what changed, and
 * what was scheduled, while no process ran.
 * @throws NewerFormatError if a newer version of Vitrine has used the directory.
 */
export async function openWebhook(options: WebhookOptions, log: Log): Promise<Webhook> {
  const { stateDir, snapshot, now } = options;
  const file = openOutboxFile(stateDir, log);
  const outbox = await file.load();
  const { waiting } = outbox;
  const closing = new AbortController();
  const { signal } = closing;
  /** The set of the last webhook, if this process served it. */
  let announced: Snapshot | undefined;
  /** The last webhook, if its set is not served yet: a cache that took it would ask at once, and get the set before. */
  let early: Waiting | undefined;
  let work = Promise.resolve();
  let saved = Promise.resolve();
  let sending: Promise<void> | undefined;
  let timer: NodeJS.Timeout | undefined;
  let failure: { since: number; fault: string } | undefined;
  let unsaved: string | undefined;
  let delivered = 0;
  let lastDelivery: number | undefined;

  const saveNow = async () => {
    try {
      await file.save(outbox);
      if (unsaved) log.info('webhooks are remembered again');
      unsaved = undefined;
    } catch (error) {
      if (!unsaved) log.error(`cannot remember webhooks in ${stateDir}: ${reasonOf(error)}`);
      unsaved = reasonOf(error);
    }
  };
  /** One after the other, since all write the same file. */
  const save = () => {
    saved = saved.then(saveNow);
    return saved;
  };
  const add = (version: string, kind: ChangeKind, tags: readonly string[], since: number) => {
    const data = { version, former_version: outbox.announced ?? null, kind, tags };
    const payload = { type: 'catalog.changed', timestamp: rfc3339(since), data } as const;
    const webhook: Waiting = { id: `msg_${randomUUID()}`, since, payload };
    waiting.push(webhook);
    outbox.announced = version;
    mergeOldest(waiting);
    void save();
    return webhook;
  };

  /** Adds a webhook if the clock has changed the set of the last one since then, forwards or backwards. */
  const addScheduled = (set: Snapshot, time: number) => {
    const { announcedUntil } = outbox;
    const tags = scheduledTags(set, Math.min(announcedUntil, time), Math.max(announcedUntil, time));
    if (tags.length > 0) add(set.version, 'scheduled', tags, time);
  };
  /** Adds what changes with this set. Returns its webhook if the last one is that of another set. */
  const look = async (current: Snapshot, kind: ChangeKind, time: number): Promise<Waiting | undefined> => {
    const known = announced ?? (current.version === outbox.announced ? current : undefined);
    if (known) addScheduled(known, time);
    outbox.announcedUntil = time;
    const isOther = current.version !== outbox.announced;
    const tags = isOther && announced ? await changedTags(announced, current, time) : everything;
    announced = current;
    return isOther ? add(current.version, kind, tags, time) : undefined;
  };
  /** Looks at one set after the other. */
  const lookInTurn = (current: Snapshot, kind: ChangeKind, onLook: (webhook?: Waiting) => void) => {
    const time = now();
    work = work
      .then(async () => onLook(await look(current, kind, time)))
      .catch(error => log.error('cannot find out what changed', { err: error }));
    return work;
  };
  const arm = () => {
    clearTimeout(timer);
    const current = snapshot();
    if (!current || signal.aborted) return;
    const seconds = publishedNews(current, now()).until - now();
    timer = setTimeout(
      () => notice('reload'),
      Math.min(Math.max(0, seconds) * 1000, LONGEST_TIMER_MS),
    ).unref();
  };
  const notice = (kind: Exclude<ChangeKind, 'scheduled'>) => {
    const current = snapshot();
    // A set that is about to be replaced has been looked at.
    if (!current || signal.aborted || (early && early.payload.data.version !== current.version)) return;
    early = undefined;
    arm();
    if (unsaved) void save();
    void lookInTurn(current, kind, startSending);
  };
  const announce = async (next: Snapshot, kind: Exclude<ChangeKind, 'scheduled'>) => {
    const looking = lookInTurn(next, kind, webhook => {
      early = webhook;
    });
    await Promise.race([looking.then(() => saved), delay(REMEMBER_MS, undefined, { ref: false })]);
  };

  const fail = (fault: string) => {
    if (!failure) log.warn(`webhooks to ${new URL(options.url).origin} fail, retrying: ${fault}`);
    failure = { since: failure?.since ?? now(), fault };
  };
  const succeed = () => {
    if (failure) log.info(`webhooks are delivered again, after failures since ${rfc3339(failure.since)}`);
    failure = undefined;
    delivered += 1;
    lastDelivery = now();
  };
  const nextToSend = () => (waiting[0] === early ? undefined : waiting[0]);
  /** Sends one after the other, each once it is saved, until none is left. */
  const send = async () => {
    let pause = FIRST_PAUSE_MS;
    for (let next = nextToSend(); next && !signal.aborted; next = nextToSend()) {
      await saved;
      try {
        await deliver({ id: next.id, body: JSON.stringify(next.payload) }, options, now(), signal);
        succeed();
        pause = FIRST_PAUSE_MS;
      } catch (error) {
        if (signal.aborted) return;
        fail(reasonOf(error));
        if (now() - next.since < GIVE_UP_SECONDS) {
          await delay(pause, undefined, { signal, ref: false }).catch(() => {});
          pause = Math.min(2 * pause, LONGEST_PAUSE_MS);
          continue;
        }
        log.error(`gave up webhook ${next.id} of ${next.payload.timestamp}`);
      }
      waiting.shift();
      void save();
    }
    sending = undefined;
  };
  const startSending = () => {
    if (nextToSend()) sending ??= send();
  };
  startSending();

  return {
    announce,
    notice,
    health: () => ({
      ...{ waiting: waiting.length, delivered, lastDelivery },
      reasons: [
        ...(failure ? [`webhooks have failed since ${rfc3339(failure.since)}: ${failure.fault}`] : []),
        ...(unsaved ? [`webhooks cannot be remembered: ${unsaved}`] : []),
      ],
    }),
    async close() {
      clearTimeout(timer);
      closing.abort();
      await work;
      await sending;
      await saved;
    },
  };
}

/** Bounds the list: the second oldest and the third become one. The oldest may be on its way. */
function mergeOldest(waiting: Waiting[]): void {
  const [, one, other] = waiting;
  if (waiting.length <= MAX_WAITING || !one || !other) return;
  const { former_version, tags } = one.payload.data;
  const all = new Set([...tags, ...other.payload.data.tags]);
  const data = {
    ...other.payload.data,
    ...{ former_version, tags: all.size > MAX_TAGS ? everything : [...all] },
  };
  waiting.splice(1, 2, { ...other, payload: { ...other.payload, data } });
}
