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

/** The data that the page queries, by path. No query counts a read. */
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

/** The time limit of a request, in milliseconds. */
const TIMEOUT_MS = 10_000;

export class Refusal extends Error {
  readonly code: string;

  constructor(message: string, code: string) {
    super(message);
    this.code = code;
  }
}

/** The last answers by address, so that a view appears at once when the reader returns to it. */
const known = new Map<string, Answers[Path]>();
const MAX_KNOWN = 50;

/**
 * Queries the service. The browser revalidates its copies by ETag, so unchanged data is not sent again. With an `instant`, or
 * in a preview, the data is that of another time. @throws Refusal if the service responds with an error.
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

/** Rises when views must query again. */
export const revision = signal(0);

/** With the token, the current instant: a preview at it has what visitors see now, and what comes next. */
export function useInstant(): string {
  const now = useMemo(() => `${new Date().toISOString().slice(0, 19)}Z`, [revision.value]);
  return preview.value || (hasToken.value ? now : '');
}

/**
 * Returns the data of a query; undefined until the first answer. Queries again when the query or the served set changes, and
 * keeps the earlier data meanwhile. Ignores late answers to earlier queries.
 */
export function useAnswer<P extends Path>(
  path: P,
  query: Query,
  instant = preview.value,
): Answers[P] | undefined {
  const address = addressOf(path, query, instant);
  const [, setAnswered] = useState({});
  const shown = useRef<Answers[P] | undefined>(undefined);
  // The address determines the type.
  shown.current = (known.get(address) as Answers[P] | undefined) ?? shown.current;
  const now = revision.value;
  useEffect(() => {
    if (now > 0) void attempt(async () => setAnswered(await askAt<P>(address)));
  }, [address, now]);
  return shown.current;
}

/** Changes what is served; the service follows within a second. @throws Refusal if it does not. */
export function control(action: `${string}/pin` | 'unpin' | `${string}/publish`): Promise<Control> {
  return request(`history/${action}`, { method: 'POST' });
}

/** Sends a request, with the token if needed. @throws Refusal if the service responds with an error. */
export async function request<Data>(
  address: string,
  options: RequestInit,
  timeoutMs = TIMEOUT_MS,
): Promise<Data> {
  const needsToken = /^(?:history|preview|check)\b/.test(address);
  // With the token, messages in health quote cells.
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

/** Returns the address of an answer at an instant, relative to the mount point. */
function addressOf(path: string, query: Query, instant: string): string {
  return pathAt(instant, path + searchOf(query));
}

/** Since when the page shows an earlier state, and why; undefined if it is up to date. */
export const away = signal<{ since: Date; refusal: string | undefined } | undefined>();

/** Runs a task that queries the service. After a failure, the page says so until a task succeeds. */
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
