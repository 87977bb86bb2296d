import { signal } from '@preact/signals';
import { useEffect, useMemo, useRef, useState } from 'preact/hooks';
import type { Changes } from '../../contract/changes.ts';
import type { Page } from '../../contract/envelope.ts';
import type { Health } from '../../contract/health.ts';
import type { Control, History } from '../../contract/history.ts';
import type { CatalogRowsPage, Overview, PriceMatrix } from '../../contract/overview.ts';
import type { IncludingNewsItem } from '../../contract/records.ts';
import { type Query, searchOf } from './address.ts';
import { hasToken, pathAt, preview, refused, token } from './token.ts';

/** The data that the page queries, by path. None of these queries counts as a read. */
interface Answers {
  health: Health;
  overview: Overview;
  changes: Changes;
  'api/news': Page<IncludingNewsItem>;
  'overview/prices': PriceMatrix;
  'overview/rows': CatalogRowsPage;
  history: History;
}

type Path = keyof Answers;

/** Requests that take longer than this many milliseconds fail. */
const TIMEOUT_MS = 10_000;

/** An error response of the service, with its message. */
export class Refusal extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The last answers by their addresses, so that a view is there at once when the reader returns to it. */
const known = new Map<string, Answers[Path]>();
const MAX_KNOWN = 50;

/**
 * Queries the service and returns the data. The browser revalidates what it has by ETag, so unchanged data is not sent
 * again. With an `instant`, or in a preview, the data is that of another time.
 *
 * @throws Refusal if the service responds with an error
 */
export async function ask<P extends Path>(path: P, query: Query = {}): Promise<Answers[P]> {
  return askAt(addressOf(path, query, preview.value));
}

async function askAt<P extends Path>(address: string): Promise<Answers[P]> {
  const data = await request<Answers[P]>(address, { cache: 'no-cache' });
  known.delete(address);
  known.set(address, data);
  const [oldest = ''] = known.keys();
  if (known.size > MAX_KNOWN) known.delete(oldest);
  return data;
}

/** Rises whenever views have to query again. */
export const revision = signal(0);

/** With the token, the instant of a preview in which visitors' prices and news come with those that are next, as of each refresh. */
export function useInstant(): string {
  const now = useMemo(() => `${new Date().toISOString().slice(0, 19)}Z`, [revision.value]);
  return preview.value || (hasToken.value ? now : '');
}

/**
 * The data of a query; undefined until the first answer. It is asked for again when the query changes, and when the service
 * may answer otherwise. In the meantime, the earlier data stays. A late answer to an earlier query is not shown.
 */
export function useAnswer<P extends Path>(
  path: P,
  query: Query,
  instant = preview.value,
): Answers[P] | undefined {
  const address = addressOf(path, query, instant);
  const [, setAnswered] = useState({});
  const shown = useRef<Answers[P] | undefined>(undefined);
  // The address stands for the path.
  shown.current = (known.get(address) as Answers[P] | undefined) ?? shown.current;
  const now = revision.value;
  useEffect(() => {
    if (now > 0) void attempt(async () => setAnswered(await askAt<P>(address)));
  }, [address, now]);
  return shown.current;
}

/** Changes what is served; the service follows within a second. @throws Refusal that says why it does not */
export function control(action: `${string}/pin` | 'unpin' | `${string}/publish`): Promise<Control> {
  return request(`history/${action}`, { method: 'POST' });
}

/** Sends a request, with the token if its path needs that. @throws Refusal if the service responds with an error */
export async function request<Data>(
  address: string,
  options: RequestInit,
  timeoutMs = TIMEOUT_MS,
): Promise<Data> {
  const needsToken = /^(?:history|preview|check)\b/.test(address);
  // With it, messages in health quote cells.
  const sendsToken = needsToken || (hasToken.value && address === 'health');
  const headers = sendsToken ? { authorization: `Bearer ${token.value}` } : {};
  const signal = AbortSignal.timeout(timeoutMs);
  const response = await fetch(address, { ...options, headers, signal });
  const { success, message, data } = await response.json();
  // Without the right token, the path does not exist.
  if (needsToken) refused.value = !success && data.error === 'ROUTE_NOT_FOUND';
  if (!success) throw new Refusal(message, data.error);
  return data;
}

/** The address of an answer as at an instant, relative to the mount point. */
function addressOf(path: string, query: Query, instant: string): string {
  return pathAt(instant, path + searchOf(query));
}

/** Why the page shows an earlier state, and since when; undefined if it does not. */
export const away = signal<{ since: Date; refusal: string | undefined } | undefined>();

/** Runs a task that queries the service. If it fails, the page says so until a task succeeds. */
export async function attempt(task: () => Promise<void>): Promise<void> {
  try {
    await task();
    away.value = undefined;
  } catch (error) {
    if (error instanceof Refusal && refused.value) return;
    const refusal = error instanceof Refusal ? error.message : undefined;
    if (away.value?.refusal === refusal && away.value) return;
    away.value = { since: away.value?.since ?? new Date(), refusal };
  }
}
