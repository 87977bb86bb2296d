// Answers what is not a valid request: port scans, TLS on the wrong port, smuggled or oversized heads, and slow ones.
import { type Server, type ServerResponse, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { errorHeaders, failure, securityHeaders } from '../../answer/envelope.ts';
import { ApiError, type ErrorCode, malformed, methodNotAllowed } from '../../errors.ts';
import { lastAnswer, MAX_HEAD_BYTES } from './guards.ts';

/** How long a refused client may keep sending before it reads the response, in milliseconds. */
const LINGER_MS = 500;

/** The error of node:http for a request that it cannot parse. `bytesParsed` counts from the start of `rawPacket`. */
interface ClientError extends Error {
  code?: string;
  rawPacket?: Buffer;
  bytesParsed?: number;
}

/** The event, with an ApiError, of a request whose body fails to arrive while a route is reading it. */
export const BROKEN_BODY = 'brokenBody';

/** Answers parser errors, CONNECT and requests that arrive too late, and closes the connection. Calls `onBroken` for each. */
export function handleClientErrors(server: Server, onBroken: (error: ErrorCode) => void): void {
  const refused = new WeakSet<Duplex>();
  const refuse = (socket: Duplex, error: ApiError) => {
    onBroken(error.code);
    writeError(socket, error);
  };
  // Most responses do not depend on the body, so there is no need to send 100 Continue.
  server.on('checkContinue', (request, response) => server.emit('request', request, response));
  server.on('checkExpectation', (request, response) => server.emit('request', request, response));
  server.on('connect', (_request, socket) => {
    socket.on('error', () => socket.destroy()); // The server no longer handles its errors.
    afterResponse(lastAnswer(socket), () => refuse(socket, methodNotAllowed()));
  });
  server.on('clientError', (error: ClientError, socket: Socket) => {
    // Browsers open connections that they may never use.
    if (socket.bytesRead === 0) return void socket.destroy();
    // The parser repeats its first error for everything that follows.
    if (refused.has(socket)) return;
    refused.add(socket);
    const answer = lastAnswer(socket);
    // A request with a broken body has its response already, or gets it now.
    const isAnswered = answer?.req.complete === false;
    if (isAnswered && !answer.writableEnded) answer.req.emit(BROKEN_BODY, diagnose(error));
    afterResponse(answer, () => (isAnswered ? hangUp(socket, '') : refuse(socket, diagnose(error))));
  });
}

/** Calls `next` once an earlier response is sent, since responses keep the order of requests (RFC 9112, section 9.3.2). */
function afterResponse(answer: ServerResponse | undefined, next: () => void): void {
  if (!answer || answer.closed) next();
  else answer.once('close', next);
}

function writeError(socket: Duplex, error: ApiError): void {
  const body = JSON.stringify(failure(error));
  const length = Buffer.byteLength(body);
  const last = { 'content-length': length, date: new Date().toUTCString(), connection: 'close' };
  const headers = { ...securityHeaders, ...errorHeaders(error), ...last };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  const status = `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}`;
  hangUp(socket, [status, ...lines, '', body].join('\r\n'));
}

/** Sends the last bytes, reads for a moment what the client still sends, and closes the connection. */
function hangUp(socket: Duplex, lastBytes: string): void {
  if (!socket.writable) return void socket.destroy();
  socket.end(lastBytes);
  socket.resume();
  setTimeout(() => socket.destroy(), LINGER_MS);
}

/** Chooses the error for a request by its parser error and by the line that could not be parsed. */
function diagnose(error: ClientError): ApiError {
  const line = faultyLine(error);
  switch (error.code) {
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return new ApiError('REQUEST_TIMEOUT');
    case 'HPE_HEADER_OVERFLOW':
      return new ApiError(/^[A-Z-]+ \//.test(line) ? 'URI_TOO_LONG' : 'HEADERS_TOO_LARGE', {
        limit: MAX_HEAD_BYTES,
      });
    case 'HPE_INVALID_METHOD':
      return /^[\w!#$%&'*+.^`|~-]+ \S+ HTTP\/1\.[01]$/.test(line)
        ? methodNotAllowed()
        : malformed('it does not start with an HTTP method');
    case 'HPE_PAUSED_H2_UPGRADE':
      return new ApiError('VERSION_NOT_SUPPORTED');
    case 'HPE_INVALID_VERSION':
      return / HTTP\/1\.[01]$/.test(line)
        ? malformed('end its lines with CRLF')
        : new ApiError('VERSION_NOT_SUPPORTED');
    case 'HPE_INVALID_URL':
      return malformed('percent-encode spaces, control characters and characters outside ASCII in the URL');
    case 'HPE_INVALID_EOF_STATE':
      return malformed('it is incomplete');
    default:
      return malformed(error.message.replace('Parse Error: ', '').toLowerCase());
  }
}

/** Returns the line that could not be parsed, as far as it is in the last packet. */
function faultyLine({ rawPacket, bytesParsed = 0 }: ClientError): string {
  const text = rawPacket?.toString('latin1') ?? '';
  const start = text.lastIndexOf('\n', bytesParsed - 2) + 1;
  return /[^\r\n]+/.exec(text.slice(start))?.[0] ?? '';
}
