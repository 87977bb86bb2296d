// The least that Node can do: recorded bytes and headers, by request target.
import { createServer } from 'node:http';
import { logListening, readPrepared } from './rows.mjs';

/** @type {Map<string | undefined, { headers: string[], headersOf304: string[], etag?: string, body: Buffer }>} */
const answers = new Map();
for (const { path, headers, body } of readPrepared('answers.json')) {
  const { 'content-type': _type, 'content-length': _length, ...headersOf304 } = headers;
  answers.set(path, {
    headers: Object.entries(headers).flat(),
    headersOf304: Object.entries(headersOf304).flat(),
    etag: headers.etag,
    body: Buffer.from(body),
  });
}

const server = createServer((request, response) => {
  const answer = answers.get(request.url);
  if (!answer) {
    response.writeHead(404, { 'content-length': 0 }).end();
  } else if (answer.etag !== undefined && request.headers['if-none-match'] === answer.etag) {
    response.writeHead(304, answer.headersOf304).end();
  } else {
    response.writeHead(200, answer.headers).end(answer.body);
  }
});
server.listen(0, '127.0.0.1', () => logListening(server));
