// The least that Node can do: recorded bytes and headers, by request target.
import { createServer } from 'node:http';
import { logListening, readPrepared } from './prepared.mjs';

const answers = new Map();
for (const { path, headers, body } of readPrepared()) {
  const { 'content-type': _type, 'content-length': _length, ...headersOf304 } = headers;
  answers.set(path, {
    headers: Object.entries(headers).flat(),
    headersOf304: Object.entries(headersOf304).flat(),
    etag: headers.etag,
    body: Buffer.from(body),
  });
}

const server = createServer((request, response) => {
  const { headers, headersOf304, etag, body } = answers.get(request.url);
  if (etag !== undefined && request.headers['if-none-match'] === etag)
    response.writeHead(304, headersOf304).end();
  else response.writeHead(200, headers).end(body);
});
server.listen(0, '127.0.0.1', () => logListening(server));
