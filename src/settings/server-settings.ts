import { boolean, integer, mountPath, oneOf, type SettingGroup, text, token } from './parsers.ts';
import { networks, origins } from './url-parsers.ts';
import { webhookSecret, webhookUrl } from './webhook-parsers.ts';

/** A week. For as long, webhooks are repeated: after it, no cache keeps what they would purge. */
const MAX_CACHE_SECONDS = 604_800;

export const serverSettings = {
  host: {
    ...text('ADDRESS'),
    default: '127.0.0.1',
    description: 'address to listen on; 0.0.0.0 or :: for all',
  },
  port: {
    ...integer('NUMBER', 0, 65_535),
    default: '3000',
    description: 'port to listen on; 0 picks a free one',
  },
  basePath: { ...mountPath, default: '', description: 'path prefix of every route, such as /shop' },
  corsOrigin: {
    ...origins,
    default: '*',
    description: 'origins whose pages may read the API: *, a comma-separated list, or off',
  },
  previewToken: {
    ...token,
    default: '',
    description:
      'secret for /preview/{instant}/, the site as at another time, and /history; neither exists without it',
  },
  compression: {
    ...oneOf('on|off', 'on', 'off'),
    default: 'on',
    description: 'off: answers are not compressed, for example since a proxy does that',
  },
  trustProxy: {
    ...networks,
    default: '',
    description: 'proxies whose X-Forwarded-For is trusted: comma-separated addresses or networks',
  },
  drainMs: {
    ...integer('MS', 0, 600_000),
    default: '500',
    description: 'keep answering for this many ms after a stop signal, so that clients can leave',
  },
} as const satisfies SettingGroup;

export const cacheSettings = {
  cacheMaxAge: {
    ...integer('SECONDS', 0, MAX_CACHE_SECONDS),
    default: '0',
    description: 'CDNs and proxies may keep answers for this many seconds; with 0, they ask each time',
  },
  webhookUrl: {
    ...webhookUrl,
    default: '',
    description: 'POST what caches have to purge to this URL after each change',
  },
  webhookSecret: {
    ...webhookSecret,
    default: '',
    description: 'secret that signs webhooks: whsec_ and the Base64 of 24 to 64 bytes',
  },
} as const satisfies SettingGroup;

export const limitSettings = {
  rateLimit: {
    ...integer('NUMBER', 0, 1_000_000),
    default: '0',
    description: 'requests per minute and client; 0 for no limit',
  },
  maxConnections: {
    ...integer('NUMBER', 1, 1_000_000),
    default: '4000',
    description: 'open connections; further ones get 503',
  },
  maxConnectionsPerIp: {
    ...integer('NUMBER', 0, 1_000_000),
    default: '0',
    description: 'open connections per client; 0 for no limit',
  },
  requestTimeoutMs: {
    ...integer('MS', 100, 3_600_000),
    default: '8000',
    description: 'time in ms that a client has to send a whole request',
  },
  idleTimeoutMs: {
    ...integer('MS', 100, 3_600_000),
    default: '8000',
    description: 'disconnect clients that read less than 1 kB/s of an answer for this many ms',
  },
  keepAliveMs: {
    ...integer('MS', 100, 3_600_000),
    default: '8000',
    description:
      'close idle connections after this many ms; behind a proxy, set more than the proxy does (65000 for nginx and AWS) to avoid sporadic 502s',
  },
} as const satisfies SettingGroup;

export const logSettings = {
  logLevel: {
    ...oneOf('LEVEL', 'trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent'),
    default: 'info',
    description: 'lowest level to log: trace, debug, info, warn, error, fatal or silent',
  },
  logRequests: {
    ...boolean,
    default: 'false',
    description: 'log every request (about doubles CPU per request)',
  },
} as const satisfies SettingGroup;
