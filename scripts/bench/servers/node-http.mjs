// As little as Node can do for an answer: prepared bytes and headers, by the address as it was sent. ANSWERS is the file
// of what Vitrine answers, one a line.
import { createReadStream } from 'node:fs';
import { createServer } from 'node:http';
import { createInterface } from 'node:readline';
import { tellListening } from './listening.mjs';

/** @type {Map<string | undefined, { headers: string[], tag: string | undefined, body: Buffer }>} */
const answers = new Map();
for await (const line of createInterface(createReadStream(process.env.ANSWERS ?? ''))) {
  const { path, headers, tag, body } = JSON.parse(line);
  answers.set(path, { headers, tag, body: Buffer.from(body) });
}

const server = createServer((request, response) => {
  const answer = answers.get(request.url);
  if (!answer) {
    response.writeHead(404, { 'content-length': 0 }).end();
  } else if (answer.tag !== undefined && request.headers['if-none-match'] === answer.tag) {
    response.writeHead(304, ['etag', answer.tag]).end();
  } else {
    response.writeHead(200, answer.headers).end(answer.body);
  }
});
server.listen(0, '127.0.0.1', () => tellListening(server));
