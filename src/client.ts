import type { Change, Changes } from './contract/changes.ts';
import type { Page } from './contract/envelope.ts';
import type {
  ConfigurationsQuery,
  ListQuery,
  NewsInclude,
  NewsQuery,
  PriceQuery,
  RowListQuery,
} from './contract/queries.ts';
import type {
  NewsDetail,
  NewsListItem,
  NewsTypeRecord as NewsType,
  OwnFields,
  PriceRecord,
  ProductRecord,
  RecommendedConfiguration,
} from './contract/records.ts';
import type { ErrorCode, ErrorDetail } from './errors.ts';

export type { Change, Changes } from './contract/changes.ts';
export type { Page, Pagination } from './contract/envelope.ts';
export type { NewsTypeRecord as NewsType, OwnFields } from './contract/records.ts';
export type { ErrorCode, ErrorDetail } from './errors.ts';
export { exportedFile } from './export/exported-file.ts';
export type { NewsDetail, NewsListItem, PriceRecord, ProductRecord, RecommendedConfiguration };

/** Parameters that may be absent or undefined. */
type Params<Query> = { [Name in keyof Query]?: Query[Name] | undefined };
type ConfigurationsParams<Include extends boolean> = Pick<ConfigurationsQuery, 'product_id'> &
  RowParams & { include_durations?: Include | undefined };
type RowParams = Params<RowListQuery>;
type ReadItem = number | ({ id: number } & Pick<RowParams, 'include'>);
/** A record with own fields of this type: with `include: ['extra']`, if the row has any. */
type Own<Item, Extra> = Omit<Item, 'extra'> & { extra?: Extra };
/** Has `durations` if the query includes them. */
type IncludingConfiguration<Include extends boolean, Extra> = Own<RecommendedConfiguration, Extra> &
  (Include extends true ? Required<Pick<RecommendedConfiguration, 'durations'>> : unknown);
/** Unix seconds, or a time: `2026-03-31`, `2026-03-31 18:00` in the time zone of the service, `2026-03-31T18:00+02:00`. */
type Time = number | string;
type NewsParams<Include extends NewsInclude> = Omit<
  Params<NewsQuery>,
  'since' | 'until' | 'include' | 'ids'
> & {
  /** Only the items with these ids, at most 100. Unknown ids are left out; an empty list means no filter. */
  ids?: readonly number[] | undefined;
  /** Only items created at this time or later. */
  since?: Time | undefined;
  /** Only items created at this time or earlier. A date without a time includes the whole day. */
  until?: Time | undefined;
  /** Fields to add to each item: `img`, `type_id`, `extra`. */
  include?: readonly Include[] | undefined;
};
/** A list item with the fields of `include`; without `type_id` if it has no category, and `extra` without own fields. */
type IncludingNewsItem<Include extends NewsInclude, Extra> = NewsListItem &
  Pick<{ img: string; type_id?: number; extra?: Extra }, Include>;

/**
 * An error response of the service. `message` is one sentence that names the parameter and what was expected.
 *
 * ```ts
 * try {
 *   await client.getPrice({ product_id: 1, recommend_config_id: 2, duration_id: 3 });
 * } catch (error) {
 *   if (error instanceof VitrineError && error.code === 'PRICE_NOT_FOUND') return undefined;
 *   throw error;
 * }
 * ```
 */
export class VitrineError extends Error {
  /** Stable code of the error. `NO_ENVELOPE`: the response is not from Vitrine, such as the error page of a proxy. */
  readonly code: ErrorCode | 'NO_ENVELOPE';
  /** The HTTP status, such as 404. */
  readonly status: number;
  /** The parameters that are wrong, each with a message; empty if the error is not about a parameter. */
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

/**
 * A client of one Vitrine service; see {@link createClient}.
 *
 * Every method takes `init`, the second argument of `fetch`, last: pass a `signal` to abort, or `headers`. A `list` method
 * gets one page: page 1 with 20 items, unless `page` and `limit` (at most 100) say otherwise. An `each` method iterates
 * over the items of all pages, from `page` on, and requests one page of `limit` items (default 100) after the other:
 *
 * ```ts
 * for await (const product of client.eachProduct()) console.log(product.name);
 * ```
 *
 * @throws VitrineError for an error response. Without a response, the error of `fetch`: a TypeError if the service cannot
 * be reached, the reason of an aborted `signal`.
 */
export interface VitrineClient<Extra = OwnFields> {
  /** A page of the products, by id. */
  listProducts(query?: RowParams, init?: RequestInit): Promise<Page<Own<ProductRecord, Extra>>>;
  /** All products, by id. */
  eachProduct(query?: RowParams, init?: RequestInit): AsyncGenerator<Own<ProductRecord, Extra>, void>;
  /**
   * A page of the recommended configurations of a product, by `order`, then id; empty if the product does not exist. With
   * `include_durations`, each has `durations`: its prices, from the shortest duration to the longest.
   */
  listConfigurations<Include extends boolean = false>(
    query: ConfigurationsParams<Include>,
    init?: RequestInit,
  ): Promise<Page<IncludingConfiguration<Include, Extra>>>;
  /** All recommended configurations of a product; see {@link VitrineClient.listConfigurations}. */
  eachConfiguration<Include extends boolean = false>(
    query: ConfigurationsParams<Include>,
    init?: RequestInit,
  ): AsyncGenerator<IncludingConfiguration<Include, Extra>, void>;
  /**
   * The price of a configuration for a duration, in the currency of the site.
   * @throws VitrineError with status 404 if the product, the configuration, the duration or this combination does not
   * exist; `message` names the first that is missing.
   */
  getPrice(query: PriceQuery, init?: RequestInit): Promise<Own<PriceRecord, Extra>>;
  /** A page of the news categories, by id. */
  listNewsTypes(query?: RowParams, init?: RequestInit): Promise<Page<Own<NewsType, Extra>>>;
  /** All news categories, by id. */
  eachNewsType(query?: RowParams, init?: RequestInit): AsyncGenerator<Own<NewsType, Extra>, void>;
  /**
   * A page of the published news items, newest first, or most read first with `sort: 'read'`. An item must pass all
   * filters. Does not count as a read.
   *
   * ```ts
   * const { list, pagination } = await client.listNews({ keyword: 'maintenance', since: '2026-01-01', include: ['img'] });
   * ```
   */
  listNews<Include extends NewsInclude = never>(
    query?: NewsParams<Include>,
    init?: RequestInit,
  ): Promise<Page<IncludingNewsItem<Include, Extra>>>;
  /**
   * All published news items that pass the filters; see {@link VitrineClient.listNews}. If an item appears or disappears
   * during the iteration, another one can come twice or not at all.
   */
  eachNews<Include extends NewsInclude = never>(
    query?: Omit<NewsParams<Include>, 'around'>,
    init?: RequestInit,
  ): AsyncGenerator<IncludingNewsItem<Include, Extra>, void>;
  /**
   * A news item, by its id or also with what to include. **Counts as one read**; the `read` of the result includes it.
   * @throws VitrineError with status 404 if the item is unknown, hidden or not published at present.
   */
  readNews(item: ReadItem, init?: RequestInit): Promise<Own<NewsDetail, Extra>>;
  /**
   * A page of what the served catalogs changed for visitors, with the versions, the time and the numbers of changes by
   * catalog; empty, and without a version, if the set before is not known.
   */
  listChanges(query?: Params<ListQuery>, init?: RequestInit): Promise<Changes>;
  /** All changes; see {@link VitrineClient.listChanges}. */
  eachChange(query?: Params<ListQuery>, init?: RequestInit): AsyncGenerator<Change, void>;
  /** The URL of an image, from the `img` of a news item; empty if that is empty. Makes no request. */
  imageUrl(img: string): string;
}

/** Options of {@link createClient}. */
export interface ClientOptions {
  /** Replaces the global `fetch`: for example, the one that SvelteKit passes to `load`. */
  fetch?: Fetch;
}

type Fetch = (url: string, init?: RequestInit) => Promise<Response>;

/**
 * Creates a client for browsers and Node.
 *
 * ```ts
 * const client = createClient('https://example.com/shop');
 * const { list } = await client.listNews({ limit: 5 });
 * ```
 *
 * @param baseUrl where the service is mounted.
 * @typeParam Extra what the own fields of the site are, for `include: ['extra']`.
 */
export function createClient<Extra = OwnFields>(
  baseUrl: string,
  options: ClientOptions = {},
): VitrineClient<Extra> {
  const base = baseUrl.replace(/\/$/, '');
  const send: Fetch = options.fetch ?? ((url, init) => fetch(url, init));
  const get = <Data>(path: string, query: object, init?: RequestInit) =>
    request<Data>(send, `${base}/${path}`, query, init);
  async function* each<Item>(path: string, query: Params<ListQuery>, init?: RequestInit) {
    const { page: first = 1, limit = 100 } = query;
    for (let page = first, isLast = false; !isLast; page += 1) {
      const { list, pagination } = await get<Page<Item>>(path, { ...query, page, limit }, init);
      yield* list;
      isLast = page * limit >= pagination.total;
    }
  }
  return {
    listProducts: (query = {}, init) => get('api/products', query, init),
    eachProduct: (query = {}, init) => each('api/products', query, init),
    listConfigurations: (query, init) => get('api/recommend-config', query, init),
    eachConfiguration: (query, init) => each('api/recommend-config', query, init),
    getPrice: (query, init) => get('api/recommend-config/price', query, init),
    listNewsTypes: (query = {}, init) => get('api/news-types', query, init),
    eachNewsType: (query = {}, init) => each('api/news-types', query, init),
    listNews: (query = {}, init) => get('api/news', query, init),
    eachNews: (query = {}, init) => each('api/news', query, init),
    readNews(item, init) {
      const { id, ...query } = typeof item === 'number' ? { id: item } : item;
      return get(`api/news/${id}`, query, init);
    },
    listChanges: (query = {}, init) => get('changes', query, init),
    eachChange: (query = {}, init) => each('changes', query, init),
    imageUrl: img => img && `${base}/images/${encodeURIComponent(img)}`,
  };
}

/** The envelope of every response (SPEC 2.1). */
type Envelope<Data> =
  | { success: true; data: Data }
  | { success: false; message: string; data: { error: ErrorCode; details: ErrorDetail[] } };

async function request<Data>(send: Fetch, address: string, query: object, init?: RequestInit): Promise<Data> {
  // URLSearchParams joins an array with commas, as the service expects.
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const url = given.length > 0 ? `${address}?${new URLSearchParams(given)}` : address;
  const response = await send(url, init);
  const { status } = response;
  const envelope = parse<Data>(await response.text());
  if (!envelope)
    throw new VitrineError('NO_ENVELOPE', status, `${url} answered ${status} without an envelope`);
  if (envelope.success) return envelope.data;
  throw new VitrineError(envelope.data.error, status, envelope.message, envelope.data.details);
}

/** Undefined if the text is not an envelope. */
function parse<Data>(text: string): Envelope<Data> | undefined {
  try {
    const value = JSON.parse(text);
    return typeof value?.success === 'boolean' && value.data ? value : undefined;
  } catch {
    return undefined;
  }
}
