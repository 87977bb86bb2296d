import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import { parse as parseQuery } from 'fast-querystring';
import { LRUCache } from 'lru-cache';
import type { Answer, Answers, Content } from '../answer/answers.ts';
import type { Body } from '../answer/body.ts';
import { codingFor } from '../answer/compression.ts';
import { contentHeaders, matches, metadataHeaders } from '../answer/representation.ts';
import type { Settings } from '../settings/settings.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { TimeZone } from '../time-zone.ts';
import { answerTo, type Endpoint, type ParsedRequest } from './endpoint.ts';
import { API_PREFIX, apiHeaders, corsHeaders, isDecodable } from './plugins/headers.ts';
import { parameterReader } from './plugins/parameters.ts';
import type { Parts } from './routes.ts';
import { headerOf, isExcess, violation } from './server/guards.ts';

export function logsRequests({ logLevel }: Pick<Settings, 'logLevel'>): boolean {
  return logLevel === 'debug' || logLevel === 'trace';
}

/**
 * Answers plain GETs of the API without Fastify, whose routing, requests, replies and hooks cost as much as everything else
 * together. It calls the same handlers and sends the same bytes, so that the service works the same without it. Everything
 * else goes to Fastify: errors, other methods, connections that the client closes, and all requests once the app is
 * `closing`.
 */
export function withFastPath(routing: RequestListener, parts: Parts, closing: AbortSignal): RequestListener {
  const { settings, services, zone, endpoints, answers, metrics } = parts;
  const { rateLimit, corsOrigin } = settings;
  if (rateLimit > 0 || logsRequests(settings) || (corsOrigin !== '*' && corsOrigin.length > 0))
    return routing;
  const find = openFinder(endpoints, settings.basePath, zone);
  const writeHead = headWriter(settings, answers);
  const { snapshot: served } = services.catalog;

  const isPlain = (request: IncomingMessage, { shouldKeepAlive }: ServerResponse) =>
    !closing.aborted &&
    request.method === 'GET' &&
    shouldKeepAlive &&
    headerOf(request.rawHeaders, 'expect') === undefined && // Needs 100 Continue, or an answer that closes the connection.
    !violation(request) &&
    !isExcess(request.socket);

  const answerIfAny = (parsed: ParsedRequest, snapshot: Snapshot) => {
    try {
      return answerTo(parsed, snapshot, 'GET', answers);
    } catch {
      return undefined; // Fastify gets the same error and sends it.
    }
  };

  return (request, response) => {
    const begin = performance.now();
    const snapshot = served();
    const found = snapshot && isPlain(request, response) ? find(request.url ?? '') : undefined;
    const answered = snapshot && found && answerIfAny(found.parsed, snapshot);
    if (!answered) return routing(request, response);
    const finish = (answer: Answer) => {
      const { rawHeaders } = request;
      const isKnown = matches(headerOf(rawHeaders, 'if-none-match'), answer.representation.tag);
      const accepted = codingFor(headerOf(rawHeaders, 'accept-encoding'));
      const sendIt = (sent: Partial<Content>) => {
        send(request, response, writeHead(snapshot, answer, sent), sent.content ?? '');
        metrics.observe('GET', found.route, isKnown ? 304 : 200, (performance.now() - begin) / 1000);
      };
      const sent = isKnown ? {} : answer.contentIn(accepted);
      if (sent instanceof Promise) void sent.then(sendIt);
      else sendIt(sent);
    };
    if (answered instanceof Promise) answered.then(finish, () => routing(request, response));
    else finish(answered);
  };
}

/** The size of the cache of URLs, in bytes. */
const MAX_FOUND = 2 ** 23;
/** The approximate size of a cached URL besides its text, in bytes. */
const ADDRESS_BYTES = 500;

/** Opens a cached lookup from URLs to parsed requests and routes, as Fastify's router and validation do; undefined if in doubt. */
function openFinder(endpoints: readonly Endpoint[], basePath: string, zone: TimeZone) {
  const found = new LRUCache<string, { parsed: ParsedRequest; route: string }>({ maxSize: MAX_FOUND });
  const ofApi = endpoints.filter(({ url }) => url.startsWith(`${API_PREFIX}/`));
  const entries = new Map(
    ofApi.map(({ url, schema, ask }) => {
      const route = basePath + url;
      const [path = '', name] = route.split(':');
      const readQuery = schema.querystring && parameterReader(schema.querystring, zone);
      const readParams = schema.params && parameterReader(schema.params, zone);
      return [path, { name, readQuery, readParams, ask, route }];
    }),
  );
  const find = (url: string) => {
    if (!isDecodable(url)) return undefined;
    const mark = url.indexOf('?');
    const path = mark < 0 ? url : url.slice(0, mark);
    const last = path.lastIndexOf('/') + 1;
    const exact = entries.get(path);
    const entry = exact ?? entries.get(path.slice(0, last));
    if (!entry || (exact === undefined) !== (entry.name !== undefined)) return undefined;
    const { name = '', readQuery, readParams, ask, route } = entry;
    const query = readQuery?.(parseQuery(mark < 0 ? '' : url.slice(mark + 1)));
    const params = readParams?.({ [name]: path.slice(last) });
    if ((query && 'error' in query) || (params && 'error' in params)) return undefined;
    return { parsed: ask(query?.value, params?.value), route };
  };
  return (url: string) => {
    const known = found.get(url);
    if (known) return known;
    const match = find(url);
    if (match) found.set(url, match, { size: url.length + ADDRESS_BYTES });
    return match;
  };
}

/** Returns a function that writes heads of responses, with the same headers as through Fastify. */
function headWriter(settings: Settings, { now, cachingHeaders }: Answers) {
  const ofAll = headerLines({ ...apiHeaders, ...corsHeaders(settings, undefined) });
  // node:http adds these and the date to every response on a connection that stays open.
  const keepAlive = `timeout=${Math.floor(settings.keepAliveMs / 1000)}`;
  const ofConnection = headerLines({ Connection: 'keep-alive', 'Keep-Alive': keepAlive });
  let date = { second: 0, text: '' };
  /** Returns the head of a 200, or of a 304 if there is no content. Keeps an answer's own lines if they do not change. */
  return (
    { version }: Snapshot,
    { representation, isNegotiated, ownLines }: Answer,
    { content, coding }: Partial<Content>,
  ) => {
    const name = content === undefined ? 'none' : (coding ?? 'identity');
    const own =
      ownLines[name] ??
      headerLines(metadataHeaders(representation, isNegotiated, cachingHeaders)) +
        (content === undefined ? '' : headerLines(contentHeaders(representation, content, coding)));
    if (representation.tag !== undefined && !cachingHeaders) ownLines[name] = own;
    const status = content === undefined ? '304 Not Modified' : '200 OK';
    const second = Math.floor(now());
    if (date.second !== second) date = { second, text: new Date(second * 1000).toUTCString() };
    return `HTTP/1.1 ${status}\r\n${ofAll}catalog-version: ${version}\r\n${own}Date: ${date.text}\r\n${ofConnection}\r\n`;
  };
}

function headerLines(headers: Record<string, string>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return lines.join('');
}

/**
 * Writes a whole response at once. A ServerResponse takes several writes and up to a quarter more CPU time. Once the system
 * has accepted the bytes, the event `finish` makes node:http end the request as after any other response.
 */
function send({ socket }: IncomingMessage, response: ServerResponse, head: string, content: Body): void {
  const isTaken = (error?: Error | null) => error ?? response.emit('finish');
  if (typeof content === 'string') {
    socket.write(head + content, 'latin1', isTaken);
    return;
  }
  const last = content.at(-1) ?? '';
  socket.cork(); // One system call writes all pieces.
  socket.write(head, 'latin1');
  for (const piece of content.slice(0, -1)) socket.write(piece);
  socket.write(last, isTaken);
  socket.uncork();
}
