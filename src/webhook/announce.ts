import { hash } from 'node:crypto';
import { kindTags, MAX_NARROW, productTag, type WebhookPayload } from '../contract/webhook.ts';
import {
  formatHolds,
  formatProblems,
  holdReasons,
  howToConfirm,
  newChanges,
  problemsOf,
} from '../live/report.ts';
import type { CatalogStatus } from '../live/status.ts';
import { plural } from '../messages.ts';
import { publishedNews } from '../query/news.ts';
import { pricesAt } from '../query/prices.ts';
import type { Settings } from '../settings/settings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

// Decides what to send to the chat and the webhook. The state is a plain value, and all steps are pure; `webhook.ts` sends.
// Messages are made anew for each attempt, so they are true when they arrive.

export const roles = ['webhook', 'chat'] as const;
export type Role = (typeof roles)[number];

/**
 * What a receiver last accepted: the version (empty if another may have been served since), the times of the last scheduled
 * changes of news and of prices (Unix seconds), and the key of the event (null if it may show a message that it refused).
 */
const NOTHING = { version: '', from: 0, prices: 0, event: '' as string | null };
type Taken = typeof NOTHING;
type Receiver = Taken & { url: string };
const SCHEDULED_TAGS = ['news', 'images'];

export interface Announcing {
  /** By role, with the hash of the URL. */
  taken: Record<Role, Receiver>;
  event: CatalogEvent | undefined;
  served: Snapshot | undefined;
  /** The version that is about to be served. */
  upcoming: string | undefined;
  /** The tags to purge, besides those of scheduled changes, since the webhook last accepted a message. */
  purge: readonly string[];
}

/** A message, and the state of its receiver once accepted. */
interface Message {
  /** Equal for messages of equal content. */
  key: string;
  payload(timestamp: string): WebhookPayload | { text: string };
  taking: Partial<Taken>;
  purged?: Announcing['purge'];
  /** Whether an attempt may change what the receiver shows, even if it fails. */
  isDoubtful: boolean;
}

/** Continues from {@link toRemember}. Undefined if that cannot be read: receivers may then show anything. */
export function recall(
  known: Record<string, object> | undefined,
  urls: Pick<Settings, 'webhookUrl' | 'chatUrl'>,
): Announcing {
  // An empty version purges everything.
  const nothing = { ...NOTHING, ...(known === undefined && { event: null }) };
  const takenBy = (role: Role, url: string) => {
    const digest = hash('sha256', url);
    // Earlier releases had no roles. For two receivers with one URL, they stored that of the chat.
    const former = role === 'webhook' && url === urls.chatUrl ? undefined : known?.[digest];
    const { url: of = digest, ...taken }: Partial<Receiver> = (known?.webhook ? known[role] : former) ?? {};
    return { url: digest, ...nothing, ...(of === digest && taken) };
  };
  const taken = { webhook: takenBy('webhook', urls.webhookUrl), chat: takenBy('chat', urls.chatUrl) };
  return { taken, event: undefined, served: undefined, upcoming: undefined, purge: [] };
}

export function toRemember({ taken: { webhook, chat }, upcoming, purge }: Announcing) {
  const version = upcoming === undefined && purge.length === 0 ? webhook.version : '';
  return { webhook: { ...webhook, version }, chat };
}

/** Updates the state from the status at `now` (Unix seconds). */
export function noticed(before: Announcing, status: CatalogStatus, now: number): Announcing {
  const { served: last, taken } = before;
  const served = status.served?.snapshot ?? last;
  const isFirst = served !== undefined && last === undefined;
  const upcoming = isFirst || served?.version === before.upcoming ? undefined : before.upcoming;
  const state = { ...before, event: eventOf(status) ?? before.event, served, upcoming };
  // Before its files were decided, this start may have served another set.
  const isReplaced = isFirst && before.upcoming !== undefined && before.upcoming !== served.version;
  const isOther = served?.version !== (last?.version ?? taken.webhook.version);
  if (!served || !(isOther || isReplaced)) return state;
  const { from, tags = kindTags } = status.served?.report.changes ?? {};
  const isKnown = last && last.version === from && before.purge.length === 0;
  return { ...state, purge: [...(isKnown ? tags : kindTags), ...scheduled(before, now).tags] };
}

/** Returns the next message for a receiver: first the served set and what to purge, then what is refused or held back. */
export function nextMessage(state: Announcing, role: Role, now: number): Message | undefined {
  const { event, purge, served, taken } = state;
  if (!event) return undefined;
  if (role === 'chat') {
    const { key, lines } = event;
    const [isKnown, isDoubtful] = [key === taken.chat.event, taken.chat.event !== null];
    const payload = () => ({ text: chatText(lines) });
    return isKnown ? undefined : { key, payload, taking: { event: key }, isDoubtful };
  }
  const [version, { tags: due, ...last }] = [served?.version ?? '', scheduled(state, now)];
  const isOther = purge.length > 0 || (served !== undefined && version !== taken.webhook.version);
  const isScheduled = due.length > 0;
  if (!(isOther || isScheduled || event.key !== taken.webhook.event)) return undefined;
  const ofServed = event.type === 'rolled_back' ? event.type : 'live';
  const type = isOther ? ofServed : isScheduled ? 'scheduled' : event.type;
  const tags = [...new Set([...purge, ...due])];
  const announced = type === event.type ? event : undefined;
  // After a live set, a refused or held one is reported again.
  const heard = announced ? announced.key : isOther ? null : taken.webhook.event;
  const data = { version: version || null, tags, ...announced?.data };
  return {
    key: JSON.stringify([type, data]),
    payload: timestamp => ({ type: `catalog.${type}`, timestamp, data }),
    taking: { version, ...last, event: heard },
    purged: purge,
    isDoubtful: announced !== undefined && taken.webhook.event !== null,
  };
}

export function took(state: Announcing, role: Role, { taking, purged }: Pick<Message, 'taking' | 'purged'>) {
  const taken = { ...state.taken, [role]: { ...state.taken[role], ...taking } };
  return { ...state, taken, purge: state.purge === purged ? [] : state.purge };
}

/** When news and prices last changed by themselves, and the tags to purge for that. */
function scheduled({ served, taken: { webhook } }: Announcing, now: number) {
  if (!served) return { from: webhook.from, prices: webhook.prices, tags: [] };
  const from = Math.max(0, publishedNews(served, now).from);
  const prices = Math.max(0, pricesAt(served, now).from);
  const ofNews = from === webhook.from ? [] : SCHEDULED_TAGS;
  return { from, prices, tags: [...ofNews, ...priceTags(served, webhook.prices, prices)] };
}

/** The tags of the products with a price that changes between two times, in either direction. */
function priceTags({ prices }: Snapshot, one: number, other: number): string[] {
  const isBetween = (date: number) => Math.min(one, other) < date && date <= Math.max(one, other);
  const dates = prices.valid_from ?? [];
  const products = new Set(prices.product_id.filter((_, row) => isBetween(dates[row] ?? 0)));
  return products.size > MAX_NARROW ? ['configurations', 'prices'] : Array.from(products, productTag);
}

type CatalogEvent = ReturnType<typeof event>;

const MAX_PROBLEMS = 5;
/** The maximum length of a text in characters; Discord refuses more than 2,000. */
const MAX_TEXT = 1_900;
const ESCAPES = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '@': '@\u200b' };

/** Returns the current event; undefined while the files are not decided. */
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
    // What lies beside the catalogs makes no news of a refusal.
    const told = lines.filter(line => !line.includes(': warning OTHER_TABLE '));
    const refused = event('refused', told, { problems: problems.slice(0, MAX_PROBLEMS) });
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
  /** Changes with each new event; empty while all is well. */
  key = hash('sha256', `${type} ${lines.join()}`),
) {
  return { type, key, lines, data };
}

/** Formats a text for a chat. Cells can neither add markup nor ping anybody. */
export function chatText(lines: readonly string[]): string {
  const escaped = lines.join('\n').replace(/[&<>@]/g, sign => ESCAPES[sign as keyof typeof ESCAPES]);
  // At a line end, so that no escape is cut.
  return escaped.length <= MAX_TEXT ? escaped : `${escaped.slice(0, escaped.lastIndexOf('\n', MAX_TEXT))}\n…`;
}
