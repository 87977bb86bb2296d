import type { RedisOptions } from 'ioredis';

/** Where Redis is, as ioredis takes it. */
export interface Address {
  /** The known nodes of a cluster; one that is alone may be no cluster. Empty if Sentinels know where Redis is. */
  nodes: { host: string; port?: number }[];
  /** The login for every node. */
  login: Pick<RedisOptions, 'username' | 'password' | 'tls'>;
  /** The options for a Redis that is not a cluster. */
  single: Omit<RedisOptions, 'replyMapping'>;
}

/**
 * Reads the URLs of the setting `REDIS_URL`, which are valid: one Redis, nodes of a cluster, or Sentinels, of which the
 * last has the name of the primary. The login in one URL holds for all. Sentinels take it too, unless the last URL has a
 * `sentinelPassword`.
 */
export function parseAddress(urls: readonly string[]): Address {
  const parsed = urls.map(url => new URL(url));
  const hosts = parsed.map(({ hostname, port }) => ({
    host: hostname.replace(/^\[|\]$/g, ''),
    ...(port && { port: Number(port) }),
  }));
  const { username = '', password = '' } = parsed.find(url => url.username || url.password) ?? {};
  const tls = urls[0]?.startsWith('rediss') ? { tls: {} } : {};
  const login = { ...credentials(decodeURIComponent(username), decodeURIComponent(password)), ...tls };
  const { pathname, searchParams: query } = parsed.at(-1) ?? new URL('redis:///');
  const path = pathname.split('/').slice(1).map(decodeURIComponent);
  if (!urls[0]?.includes('+sentinel:'))
    return { nodes: hosts, login, single: { ...hosts[0], ...login, db: Number(path[0] ?? 0) } };

  const own = query.get('sentinelPassword');
  const { username: sentinelUsername, password: sentinelPassword } =
    own === null ? login : credentials(query.get('sentinelUsername') ?? '', own);
  const single = {
    ...login,
    sentinels: hosts,
    name: path[0] ?? '',
    db: Number(path[1] ?? 0),
    ...(sentinelPassword && { sentinelUsername, sentinelPassword }),
    ...(login.tls && { sentinelTLS: login.tls, enableTLSForSentinelMode: true }),
  };
  return { nodes: [], login, single };
}

function credentials(username: string, password: string): { username?: string; password?: string } {
  return username || password ? { username, password } : {};
}
