import { once } from 'node:events';
import { type IncomingMessage, request, type Server } from 'node:http';
import { duplexPair } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import * as zlib from 'node:zlib';

/** By content coding. Node.js 20 has no zstd. */
const decoders: Record<string, typeof zlib.gunzipSync> = {
  br: zlib.brotliDecompressSync,
  gzip: zlib.gunzipSync,
  zstd: Reflect.get(zlib, 'zstdDecompressSync'),
};

/** A request to a server that need not listen. */
export interface TestRequest {
  url: string;
  method?: string;
  headers?: Record<string, string>;
  payload?: string | Uint8Array;
  /** The address that it comes from. */
  remoteAddress?: string;
}

/** Sends a request over a connection of its own, which the client would keep open, and returns the response, its body decoded. */
export async function requestOver(
  server: Server,
  { url, method = 'GET', headers, payload, remoteAddress = '127.0.0.1' }: TestRequest,
) {
  const [client, connection] = duplexPair();
  server.emit('connection', Object.assign(connection, { remoteAddress }));
  const sent = request({
    path: url,
    method,
    headers: { connection: 'keep-alive', ...headers },
    createConnection: () => client,
  });
  sent.end(payload);
  const [response]: IncomingMessage[] = await once(sent, 'response');
  if (!response) throw new Error('no response');
  const rawPayload = await buffer(response);
  client.destroy();
  connection.destroy(); // It does not see the end of the other side.
  const coding = response.headers['content-encoding'];
  const decode = coding === undefined ? Buffer.from : decoders[coding];
  if (!decode) throw new Error(`unexpected content coding ${coding}`);
  const body = rawPayload.length > 0 ? decode(rawPayload).toString() : '';
  return {
    statusCode: response.statusCode ?? 0,
    headers: response.headers,
    rawHeaders: response.rawHeaders,
    rawPayload,
    body,
    json: () => JSON.parse(body),
  };
}
