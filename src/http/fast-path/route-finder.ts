import type { TObject } from '@sinclair/typebox';
import { parse as parseQuery } from 'fast-querystring';
import type { FastifyRequest, RouteOptions } from 'fastify';
import type { Representation } from '../../answer/representation.ts';
import type { Observe } from '../metrics/metrics.ts';
import { parameterReader } from '../plugins/parameters.ts';
import { isDecodable } from '../plugins/request-path.ts';

/** What handlers of the API may use of a request. */
type ApiRequest = Pick<FastifyRequest, 'method' | 'query' | 'params' | 'snapshot'>;

/** A route of the API. */
export interface ApiRoute {
  /** Its pattern, such as `/api/news/:id`. */
  url: string;
  query: TObject | undefined;
  params: TObject | undefined;
  /** @throws ApiError and any other error that Fastify turns into an error response. */
  handler(request: ApiRequest): Representation | Promise<Representation>;
  observe: Observe;
}

type Values = Record<string, unknown>;

/** A route with the values of its parameters, by name and in the order of its schema. */
export interface RouteMatch {
  route: ApiRoute;
  query: Values | undefined;
  params: Values | undefined;
}

/** Finds routes as Fastify's router and validation do. */
interface RouteFinder {
  /** Adds a route, and what records its responses. A parameter in its path must be the last part. */
  add(options: RouteOptions, observe: Observe): void;
  /** The route of a URL; undefined if in doubt. */
  find(url: string): RouteMatch | undefined;
}

/** Times in queries are in `timeZone`. */
export function openRouteFinder(timeZone: string): RouteFinder {
  type Reader = ReturnType<typeof parameterReader>;
  type Entry = { route: ApiRoute; name: string | undefined; readQuery?: Reader; readParams?: Reader };
  const entries = new Map<string, Entry>();
  return {
    add({ url, schema, handler }, observe) {
      const [path = '', name] = url.split(':');
      // Routes of the API have TypeBox schemas, and return representations.
      const { querystring: query, params } = (schema ?? {}) as { querystring?: TObject; params?: TObject };
      const route = { url, query, params, handler: handler as unknown as ApiRoute['handler'], observe };
      entries.set(path, {
        route,
        name,
        ...(query && { readQuery: parameterReader(query, timeZone) }),
        ...(params && { readParams: parameterReader(params, timeZone) }),
      });
    },
    find(url) {
      if (!isDecodable(url)) return undefined;
      const mark = url.indexOf('?');
      const path = mark < 0 ? url : url.slice(0, mark);
      const last = path.lastIndexOf('/') + 1;
      const exact = entries.get(path);
      const found = exact ?? entries.get(path.slice(0, last));
      if (!found || (exact === undefined) !== (found.name !== undefined)) return undefined;
      const { route, name = '', readQuery, readParams } = found;
      const query = readQuery?.(parseQuery(mark < 0 ? '' : url.slice(mark + 1)));
      const params = readParams?.({ [name]: path.slice(last) });
      if (query && 'error' in query) return undefined;
      if (params && 'error' in params) return undefined;
      return { route, query: query?.value, params: params?.value };
    },
  };
}
