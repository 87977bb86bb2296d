import { parse as parseQuery } from 'fast-querystring';
import type { Endpoint } from './answer.ts';
import { isDecodable } from './exits.ts';
import { parameterReader } from './parameters.ts';

/** An endpoint, and the parameters that it is asked with. */
export interface Found {
  endpoint: Endpoint;
  parameters: unknown;
}

/**
 * Finds the endpoints below a prefix by the address of a request, as Fastify's router and its reading of parameters do;
 * none where there is any doubt.
 */
export function endpointFinder(
  endpoints: readonly Endpoint[],
  prefix: string,
): (url: string) => Found | undefined {
  const readers = new Map(
    endpoints.map(endpoint => {
      const [path = '', name] = endpoint.path.split(':');
      return [prefix + path, { endpoint, name, read: parameterReader(endpoint.parameters) }];
    }),
  );
  return url => {
    if (!isDecodable(url)) return undefined;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const last = path.lastIndexOf('/') + 1;
    const exact = readers.get(path);
    const found = exact ?? readers.get(path.slice(0, last));
    if (!found || (exact === undefined) !== (found.name !== undefined)) return undefined;
    const raw = found.name
      ? { [found.name]: path.slice(last) }
      : parseQuery(mark < 0 ? '' : url.slice(mark + 1));
    const read = found.read(raw);
    return 'value' in read ? { endpoint: found.endpoint, parameters: read.value } : undefined;
  };
}
