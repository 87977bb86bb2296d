import { BlockList, isIP, isIPv4 } from 'node:net';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { ApiError } from '../../errors.ts';

const MINUTE_MS = 60_000;
/** How many recent clients are tracked. */
const MAX_CLIENTS = 100_000;

/** Limits each client to `max` requests per minute, not counting health probes. */
export function registerRateLimit(app: FastifyInstance, max: number): void {
  /** The requests in each client's current minute. It ends by `performance.now()`, since the clock may be set back. */
  const minutes = new LRUCache<string, { requests: number; end: number }>({ max: MAX_CLIENTS });

  app.addHook('onRequest', (request, reply, done) => {
    if (isProbe(request)) return done();
    const now = performance.now();
    const client = clientOf(request.ips ?? [request.ip]);
    const known = minutes.get(client);
    const minute = known && now < known.end ? known : { requests: 0, end: now + MINUTE_MS };
    minute.requests += 1;
    minutes.set(client, minute);
    const seconds = Math.ceil((minute.end - now) / 1000);
    const left = Math.max(0, max - minute.requests);
    reply.headers({ 'ratelimit-limit': max, 'ratelimit-remaining': left, 'ratelimit-reset': seconds });
    if (minute.requests <= max) return done();
    reply.header('retry-after', seconds);
    done(new ApiError('TOO_MANY_REQUESTS', { limit: max, seconds }));
  });
}

/** Whether a request is for `/health` or a probe. */
export function isProbe({ routeOptions }: FastifyRequest): boolean {
  return /\/health(\/|$)/.test(routeOptions.url ?? '');
}

/** Tells whether an address is in one of these networks, which are written as in TRUST_PROXY. */
export function proxyMatcher(networks: readonly string[]): (address: string | undefined) => boolean {
  const list = new BlockList();
  for (const network of networks) {
    const [address = '', prefix = isIPv4(address) ? 32 : 128] = network.split('/');
    list.addSubnet(address, Number(prefix), familyOf(address));
  }
  return text => {
    const address = clientAddress(text);
    return address !== undefined && list.check(address, familyOf(address));
  };
}

/**
 * What counts as one client: an IPv4 address, or the /64 of an IPv6 address, since providers assign whole /64s. `hops` lead
 * from the peer to the client, as X-Forwarded-For does from right to left. A hop that is not an address may be made up, so
 * the one before it counts.
 */
export function clientOf(hops: readonly (string | undefined)[]): string {
  const address = hops.map(clientAddress).findLast(hop => hop !== undefined);
  return address === undefined || isIPv4(address) ? String(address) : networkOf(address);
}

/** Parses an address such as `192.0.2.1`, `192.0.2.1:80`, `::ffff:192.0.2.1`, `2001:db8::1` or `[2001:db8::1]:80`. */
function clientAddress(text = ''): string | undefined {
  const [, ipv4, ipv6] = /^(?:([\d.]+):\d+|\[([^\]]+)\](?::\d+)?)$/.exec(text) ?? [];
  const address = (ipv4 ?? ipv6 ?? text).replace(/^::ffff:(?=.*\.)/i, '');
  return isIP(address) > 0 ? address.replace(/%.*/, '') : undefined; // Without its zone.
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIPv4(address) ? 'ipv4' : 'ipv6';
}

/** The first four groups of an IPv6 address. */
function networkOf(address: string): string {
  // URL shortens an address to the form of RFC 5952, without dots.
  const shortest = new URL(`http://[${address}]`).hostname.slice(1, -1);
  const [start = [], end = []] = shortest.split('::').map(part => part.split(':').filter(Boolean));
  const zeros = Array<string>(8 - start.length - end.length).fill('0');
  return `${[...start, ...zeros, ...end].slice(0, 4).join(':')}::/64`;
}
