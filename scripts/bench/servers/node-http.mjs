// As little as Node can do for an answer: prepared bytes and headers, by the address as it was sent. ANSWERS is the file
// of what Vitrine answers, one a line.
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { tellListening } from './listening.mjs';

/** @type {Map<string | undefined, { headers: string[], headersOf304: string[], tag: string | undefined, body: Buffer }>} */
const answers = new Map();
/** Those of a body, which a 304 has not. */
const ofBody = ['content-type', 'content-length'];
for await (const line of createInterface(createReadStream(process.env.ANSWERS ?? ''))) {
  /** @type {{ path: string, headers: string[], tag: string | undefined, body: string }} */
  const { path, headers, tag, body } = JSON.parse(line);
  const headersOf304 = headers.filter((_, index) => !ofBody.includes(headers[index - (index % 2)] ?? ''));
  answers.set(path, { headers, headersOf304, tag, body: Buffer.from(body) });
}

const server = createServer((request, response) => {
  const answer = answers.get(request.url);
  if (!answer) {
    response.writeHead(404, { 'content-length': 0 }).end();
  } else if (answer.tag !== undefined && request.headers['if-none-match'] === answer.tag) {
    response.writeHead(304, answer.headersOf304).end();
  } else {
    response.writeHead(200, answer.headers).end(answer.body);
  }
});
server.listen(0, '127.0.0.1', () => tellListening(server));
