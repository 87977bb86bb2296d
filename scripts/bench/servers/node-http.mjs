// The least that Node can do: recorded bytes and headers, by request target. ANSWERS names the file, an answer a line.
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { logListening } from './rows.mjs';

/** @type {Map<string | undefined, { headers: string[], headersOf304: string[], etag: string | undefined, body: Buffer }>} */
const answers = new Map();
const bodyHeaders = ['content-type', 'content-length'];
for await (const line of createInterface(createReadStream(process.env.ANSWERS ?? ''))) {
  /** @type {{ path: string, headers: string[], etag: string | undefined, body: string }} */
  const { path, headers, etag, body } = JSON.parse(line);
  const isOfBody = (/** @type {unknown} */ _, /** @type {number} */ index) =>
    bodyHeaders.includes(headers[index - (index % 2)] ?? '');
  answers.set(path, {
    headers,
    headersOf304: headers.filter((name, index) => !isOfBody(name, index)),
    etag,
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
