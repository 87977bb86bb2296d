import type { NewsDetail, NewsListItem, PriceRecord, RecommendedConfiguration } from './catalog/records.ts';
import type { ErrorCode, ErrorDetail } from './errors.ts';
import type { Page } from './query/paging.ts';
import type { ConfigurationsQuery, NewsQuery, PriceQuery } from './query/queries.ts';

/** The service has a default for these. */
type Defaulted = 'page' | 'limit' | 'include_durations';
type RequiredOf<Query> = {
  [Name in keyof Query]-?: undefined extends Query[Name] ? never : Name extends Defaulted ? never : Name;
}[keyof Query];
/** What is asked for, where undefined is as if absent. */
type Asked<Query> = Pick<Query, RequiredOf<Query>> & {
  [Name in Exclude<keyof Query, RequiredOf<Query>>]?: Query[Name] | undefined;
};

/** An answer that tells an error. `NO_ENVELOPE` is one that is not Vitrine's, such as the error page of a proxy. */
export class VitrineError extends Error {
  readonly code: ErrorCode | 'NO_ENVELOPE';
  /** The HTTP status. */
  readonly status: number;
  /** Each parameter that is wrong. */
  readonly details: readonly ErrorDetail[];

  constructor(
    code: ErrorCode | 'NO_ENVELOPE',
    status: number,
    message: string,
    details: readonly ErrorDetail[] = [],
  ) {
    super(message);
    this.name = 'VitrineError';
    this.code = code;
    this.status = status;
    this.details = details;
  }
}

/** The queries of a service. `init` is what else `fetch` is given, such as a `signal`. */
export interface VitrineClient {
  listConfigurations(
    query: Asked<ConfigurationsQuery>,
    init?: RequestInit,
  ): Promise<Page<RecommendedConfiguration>>;
  getPrice(query: PriceQuery, init?: RequestInit): Promise<PriceRecord>;
  listNews(query?: Asked<NewsQuery>, init?: RequestInit): Promise<Page<NewsListItem>>;
  /** This counts as a read. */
  readNews(id: number, init?: RequestInit): Promise<NewsDetail>;
}

/**
 * A client of the service at `baseUrl`, such as `https://example.com/shop`, for browsers and Node. Its promises reject
 * with a VitrineError where the answer is no success, and as those of `fetch` where there is no answer.
 */
export function createClient(baseUrl: string): VitrineClient {
  const base = `${baseUrl.replace(/\/$/, '')}/api`;
  return {
    listConfigurations: (query, init) => ask(`${base}/recommend-config`, query, init),
    getPrice: (query, init) => ask(`${base}/recommend-config/price`, query, init),
    listNews: (query = {}, init) => ask(`${base}/news`, query, init),
    readNews: (id, init) => ask(`${base}/news/${id}`, {}, init),
  };
}

/** Either answer of the service, in its envelope (SPEC 2.1). */
type Answer<Data> =
  | { success: true; data: Data }
  | { success: false; message: string; data: { error: ErrorCode; details: ErrorDetail[] } };

async function ask<Data>(address: string, query: object, init?: RequestInit): Promise<Data> {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const url = given.length > 0 ? `${address}?${new URLSearchParams(given)}` : address;
  const response = await fetch(url, init);
  const { status } = response;
  const answer = parse<Data>(await response.text());
  if (!answer) throw new VitrineError('NO_ENVELOPE', status, `${url} answered ${status} without an envelope`);
  if (answer.success) return answer.data;
  throw new VitrineError(answer.data.error, status, answer.message, answer.data.details);
}

/** Undefined where it is no envelope. */
function parse<Data>(text: string): Answer<Data> | undefined {
  try {
    const answer = JSON.parse(text);
    return typeof answer?.success === 'boolean' && answer.data ? answer : undefined;
  } catch {
    return undefined;
  }
}
