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
import { responseOf } from './response.ts';

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
  { basePath, corsOrigin, rateLimit }: Pick<Settings, 'basePath' | 'corsOrigin' | 'rateLimit'>,
  isExcess: (socket: Socket) => boolean,
): FastPath {
  const answerTo = rememberingAnswers(endpointFinder(endpoints, basePath + API_PREFIX));
  let isOpen = rateLimit === 0;

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
  };
  return {
    before: listener => (request, response) => {
      const snapshot = served();
      const isPlain = isOpen && request.method === 'GET' && !violation(request) && !isExcess(request.socket);
      const answer = isPlain && snapshot ? ask(request, snapshot) : undefined;
      if (!answer || !snapshot) listener(request, response);
      else if (answer instanceof Promise)
        void answer.then(answer => send(request, response, snapshot, answer));
      else send(request, response, snapshot, answer);
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
