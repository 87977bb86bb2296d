import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { ApiError, type ErrorCode, malformed } from '../errors.ts';
import { errorHeaders, failure } from './envelope.ts';
import { protection } from './headers.ts';
import { MAX_HEAD_BYTES } from './message-rules.ts';
import { lastAnswer } from './turns.ts';

/** How long a refused client may go on to send, so that it comes to read its refusal, in milliseconds. */
const LINGER_MS = 500;

/** What node:http tells of a request that it could not read. */
interface ClientError extends Error {
  code?: string;
  /** What came last, and how much of it could be read. */
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/**
 * Answers in the envelope what node:http answers in its own words or not at all, since it never becomes a request:
 * whatever its parser refuses, CONNECT, and what does not come whole in time. The connection is closed then, and `onBroken`
 * hears of it.
 */
export function refuseBrokenRequests(server: Server, onBroken: (error: ErrorCode) => void): void {
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, error: ApiError) => {
    onBroken(error.code);
    tell(socket, error);
  };
  // The answer is final whatever the body will be, so that none is asked for.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy()); // The server has let go of it.
    refuse(socket, new ApiError('METHOD_NOT_ALLOWED'));
  });
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // Browsers open connections that they then may not need; to hear of that would be an error to some.
    if (socket.bytesRead === 0) return void socket.destroy();
    // The parser says the same of everything that comes after its first error.
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = lastAnswer(socket);
    // What is wrong with the body of a request comes too late: it has its answer.
    const isAnswered = answer?.req.complete === false;
    afterwards(answer, () => (isAnswered ? hangUp(socket, '') : refuse(socket, diagnose(error))));
  });
}

/** Answers are sent in the order of the requests (RFC 9112, section 9.3.2). */
function afterwards(answer: ServerResponse | undefined, next: () => void): void {
  if (!answer || answer.closed) next();
  else answer.once('close', next);
}

/** Sends an error over a bare connection, and closes it. */
function tell(socket: Duplex, error: ApiError): void {
  const body = JSON.stringify(failure(error));
  const headers = {
    ...protection,
    ...errorHeaders(error),
    'content-length': Buffer.byteLength(body),
    date: new Date().toUTCString(),
    connection: 'close',
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`;
  hangUp(socket, [status, ...lines, '', body].join('\r\n'));
}

/** Says the last words, and closes the connection; a client that is still sending is heard out for a moment. */
function hangUp(socket: Duplex, words: string): void {
  if (!socket.writable) {
    socket.destroy();
    return;
  }
  socket.end(words);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS);
}

/** What is wrong with a request, as far as can be told from where its reading ended. */
function diagnose(error: ClientError): ApiError {
  const line = lineOf(error);
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(/^[A-Z-]+ \//.test(line) ? 'URI_TOO_LONG' : 'HEADERS_TOO_LARGE', {
        limit: MAX_HEAD_BYTES,
      });
    case 'HPE_INVALID_METHOD':
      return /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]$/.test(line)
        ? new ApiError('METHOD_NOT_ALLOWED')
        : malformed('it begins with no method of HTTP');
    case 'HPE_PAUSED_H2_UPGRADE':
      return new ApiError('VERSION_NOT_SUPPORTED');
    case 'HPE_INVALID_VERSION':
      return / HTTP\/1\.[01]$/.test(line)
        ? malformed('its lines have to end with CRLF')
        : new ApiError('VERSION_NOT_SUPPORTED');
    case 'HPE_INVALID_URL':
      return malformed(
        'characters outside of ASCII, blanks and the like have to be percent-encoded in the address',
      );
    case 'HPE_INVALID_EOF_STATE':
      return malformed('it ends before it is whole');
    default:
      return malformed(error.message.replace('Parse Error: ', '').toLowerCase());
  }
}

/** The line that could not be read, as far as it came in one piece. */
function lineOf({ rawPacket, bytesParsed = 0 }: ClientError): string {
  const text = rawPacket?.toString('latin1') ?? '';
  const start = text.lastIndexOf('\n', bytesParsed - 2) + 1;
  return /[^\r\n]+/.exec(text.slice(start))?.[0] ?? '';
}
