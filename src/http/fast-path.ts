import type { IncomingMessage, RequestListener, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Snapshot } from '../catalog/snapshot.ts';
import { oncePerSnapshot } from '../query/once.ts';
import type { Settings } from '../settings.ts';
import type { Answer, Endpoint } from './answer.ts';
import { API_PREFIX } from './api.ts';
import { corsHeaders } from './cors.ts';
import { endpointFinder } from './endpoint-finder.ts';
import { protection } from './headers.ts';
import { rememberingAnswers } from './memory.ts';
import { violation } from './message-rules.ts';
import type { RequestMetrics } from './metrics/requests.ts';
import { responseOf } from './response.ts';

/** What sends requests the long way, or is in their answers. */
type FastPathSettings = Pick<Settings, 'basePath' | 'corsOrigin' | 'rateLimit' | 'logRequests'>;

/** The short way of the requests that are most of them. */
export interface FastPath {
  /** Answers what it can, and leaves the rest to the listener. */
  before(listener: RequestListener): RequestListener;
  /** Leaves everything to the listener from now on. */
  close(): void;
}

/**
 * A plain GET of an endpoint that succeeds is answered without Fastify, whose routing, requests, replies and hooks take
 * as long as all the rest. The bytes of the answer are the same. Whatever is unusual about a request is Fastify's.
 */
export function openFastPath(
  endpoints: readonly Endpoint[],
  served: () => Snapshot | undefined,
  { basePath, corsOrigin, rateLimit, logRequests }: FastPathSettings,
  isExcess: (socket: Socket) => boolean,
  { observerOf }: Pick<RequestMetrics, 'observerOf'>,
): FastPath {
  const prefix = basePath + API_PREFIX;
  const answerTo = rememberingAnswers(endpointFinder(endpoints, prefix));
  const observers = new Map(endpoints.map(endpoint => [endpoint, observerOf('GET', prefix + endpoint.path)]));
  let isOpen = rateLimit === 0 && !logRequests;

  const ask = ({ url = '' }: IncomingMessage, snapshot: Snapshot): ReturnType<typeof answerTo> => {
    try {
      return answerTo(url, snapshot);
    } catch {
      // Fastify meets with the same error, and says it.
      return undefined;
    }
  };
  const headersTo = (origin: string | undefined) =>
    oncePerSnapshot(({ version }) => [
      ...flat(protection),
      ...flat(corsHeaders(corsOrigin, origin)),
      ...['catalog-version', version],
    ]);
  const headersToAny = headersTo(undefined);
  const send = (request: IncomingMessage, response: ServerResponse, snapshot: Snapshot, answer: Answer) => {
    const { status, headers, body } = responseOf(answer, request);
    const always = corsOrigin === '*' ? headersToAny(snapshot) : headersTo(request.headers.origin)(snapshot);
    response.writeHead(status, always.concat(headers));
    response.end(body, 'latin1'); // Where it is a string.
    return status;
  };
  return {
    before: listener => (request, response) => {
      const begin = performance.now();
      const snapshot = served();
      const isPlain = isOpen && request.method === 'GET' && !violation(request) && !isExcess(request.socket);
      const answered = isPlain && snapshot ? ask(request, snapshot) : undefined;
      if (!answered || !snapshot) return listener(request, response);
      const { endpoint, answer } = answered;
      const finish = (answer: Answer) => {
        const status = send(request, response, snapshot, answer);
        observers.get(endpoint)?.(status, (performance.now() - begin) / 1000);
      };
      if (answer instanceof Promise) void answer.then(finish);
      else finish(answer);
    },
    close: () => {
      isOpen = false;
    },
  };
}

/** Names and values in turn. */
function flat(headers: Record<string, string>): string[] {
  return Object.entries(headers).flat();
}
