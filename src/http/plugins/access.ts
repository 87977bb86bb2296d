import { hash, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { ofSharedCaches } from '../../answer/representation.ts';
import { MAX_TIME } from '../../contract/columns.ts';
import { ApiError } from '../../errors.ts';
import type { LiveCatalog } from '../../live/live.ts';
import type { CatalogStatus } from '../../live/status.ts';
import { plural } from '../../messages.ts';
import { parseTimeCell } from '../../set/cells/cells.ts';
import { type Snapshot, snapshotAt } from '../../snapshot/snapshot.ts';
import type { TimeZone } from '../../time-zone.ts';
import { notReady, pinSnapshot } from './catalog-version.ts';
import { clientOf, proxyMatcher } from './clients.ts';
import type { IsHidden } from './error-handler.ts';
import { isBelow, routedPath, unindexed } from './headers.ts';
import { invalid } from './parameters.ts';

/** Instead of an instant: the set that is held back, as of now. */
const HELD = 'held';

/** This and the paths below are relative to the mount point of the service. */
export const PREVIEW_PREFIX = '/preview/:instant';

/** Makes routes answer as at the instant in their path, or from the held-back set. They count no reads and are not cached. */
export function registerPreview(
  app: FastifyInstance,
  { status }: LiveCatalog,
  zone: TimeZone,
  now: () => number,
): void {
  app.addHook<{ Params: { instant: string } }>('onRequest', async (request, reply) => {
    reply.headers(unindexed);
    const { instant: text } = request.params;
    const set = text === HELD ? heldSet(status()) : request.snapshot;
    const instant = text === HELD ? now() : parseInstant(text, zone);
    const message = `must be ${HELD}, or a time such as 2026-03-31 or 2026-03-31T18:00:00 in ${zone.name}, 2026-03-31T18:00:00Z, or Unix seconds`;
    if (instant === undefined) throw invalid([{ parameter: 'instant', message }]);
    if (set) pinSnapshot(request, reply, snapshotAt(set, instant));
  });
  app.addHook('onSend', (_request, reply, payload, done) => {
    for (const name of ofSharedCaches) reply.removeHeader(name);
    reply.header('cache-control', 'no-store');
    done(null, payload);
  });
}

function heldSet(status: CatalogStatus): Snapshot {
  if (!status.held) throw new ApiError('NOTHING_HELD');
  if (!status.held.snapshot) throw notReady(status);
  return status.held.snapshot;
}

/** Parses an instant like the cell of a catalog, to Unix seconds. */
function parseInstant(text: string, zone: TimeZone): number | undefined {
  const instant = parseTimeCell(text, zone);
  return instant !== undefined && instant >= 0 && instant <= MAX_TIME ? instant : undefined;
}

/** The cookie that may carry the token. */
const COOKIE = 'vitrine_preview=';

/** Looks for the token in `Authorization: Bearer …` or in the cookie. Timing reveals nothing about it. */
function tokenCheck(token: string): (headers: IncomingHttpHeaders) => boolean {
  const digest = tokenDigest(token);
  return headers => tokensIn(headers).some(given => timingSafeEqual(tokenDigest(given), digest));
}

function tokensIn({ authorization = '', cookie = '' }: IncomingHttpHeaders): string[] {
  const bearer = /^Bearer +(\S+)$/i.exec(authorization)?.slice(1) ?? [];
  const cookies = cookie.split(';').map(pair => pair.trim());
  const inCookies = cookies.filter(pair => pair.startsWith(COOKIE)).map(pair => pair.slice(COOKIE.length));
  return [...bearer, ...inCookies];
}

/** `timingSafeEqual` requires equal lengths, which digests have. */
function tokenDigest(token: string): Buffer {
  return hash('sha256', token, 'buffer');
}

export const HISTORY_PATH = '/history';
export const CHECK_PATH = '/check';

/**
 * Hides previews, history and checks from clients without the token, so that wrong methods and metrics do not reveal them. To
 * change something, a client must send the token in the header. A browser sends the cookie for the page of any origin, but
 * those pages cannot set the header, since no preflight allows it. With an empty token, these routes do not exist. `mount` is
 * the mount point of the service.
 */
export function hiddenWithoutToken(previewToken: string, mount: string): IsHidden {
  if (previewToken === '') return () => false;
  const hasToken = tokenCheck(previewToken);
  const preview = mount + PREVIEW_PREFIX;
  const control = [HISTORY_PATH, CHECK_PATH].map(path => mount + path);
  return ({ method, url, headers, routeOptions }) => {
    const path = routeOptions.url ?? routedPath(url);
    if (isBelow(path, preview)) return !hasToken(headers);
    const isRead = method === 'GET' || method === 'HEAD';
    const { authorization } = headers;
    return control.some(root => isBelow(path, root)) && !hasToken(isRead ? headers : { authorization });
  };
}

/** Whether only programs on the same machine can reach an address. */
const isLoopback = proxyMatcher(['127.0.0.0/8', '::1']);

/**
 * Whether a request may see cells of rows that are not public. It needs the token. If there is no token, every client may see
 * them, provided that the service listens on a loopback address only and trusts no proxy.
 */
export function mayReadCells(previewToken: string): (request: FastifyRequest) => boolean {
  const hasToken = tokenCheck(previewToken);
  if (previewToken !== '') return ({ headers }) => hasToken(headers);
  return ({ ips, server }) => {
    const address = server.server.address();
    return ips === undefined && typeof address === 'object' && isLoopback(address?.address);
  };
}

const MINUTE_MS = 60_000;

/** Logs at most once a minute how many requests had a wrong token, and where the last one came from. */
export function logWrongTokens(app: FastifyInstance, previewToken: string, mount: string): void {
  if (previewToken === '') return;
  const hasToken = tokenCheck(previewToken);
  const roots = [PREVIEW_PREFIX, HISTORY_PATH, CHECK_PATH, '/health'].map(path => mount + path);
  let count = 0;
  let client = '';
  let timer: NodeJS.Timeout | undefined;
  const report = () => {
    clearTimeout(timer);
    timer = undefined;
    const message = `${plural(count, 'request')} with a wrong token, the last from ${client}`;
    if (count > 0) app.log.warn({ count, client }, message);
    count = 0;
  };
  app.addHook('onRequest', (request, _reply, done) => {
    const { headers, url, routeOptions } = request;
    const path = routeOptions.url ?? routedPath(url);
    if (roots.some(root => isBelow(path, root)) && tokensIn(headers).length > 0 && !hasToken(headers)) {
      count += 1;
      client = clientOf(request.ips ?? [request.ip]);
      timer ??= setTimeout(report, MINUTE_MS).unref();
    }
    done();
  });
  app.addHook('onClose', async () => report());
}
