import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setImmediate as nextTurn } from 'node:timers/promises';
import { between, seededRandom } from '../../../scripts/bench/catalog/random.ts';
import { converse, envelopeCode, takeApart, type WireAnswer } from '../wire.ts';

/** Much longer than any timeout of the service. */
const PATIENCE_MS = 120_000;
/** A client that sends this much may be reset before it reads that it was refused. */
const LARGE = 32_000;
/** Has the service close a connection. Pipelines end with it, since node:http cuts their answers when the client ends first. */
const LAST = Buffer.from('GET /health/live HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n');

/** Answers that are documented to be no envelope. */
const otherTypes =
  /^(image\/|text\/(html|css|javascript|plain|yaml)|application\/(x-yaml|yaml|feed\+json|rss\+xml|atom\+xml))/;

/**
 * Sends bytes over a connection of their own, in up to four parts, and returns the outcome of each answer: the code of
 * its envelope, or its status where it is none.
 * @throws where a request has no answer, or one that is neither an envelope nor documented otherwise, or 500.
 */
export async function exchange(port: number, text: string): Promise<string[]> {
  const bytes = Buffer.from(text, 'latin1');
  const requests = text.split(/ HTTP\/1\.[01]\r\n/).length - 1;
  const { received, isReset } = await (requests > 1
    ? send(port, Buffer.concat([bytes, LAST]), false)
    : send(port, bytes));
  // So may one that sends on after a request whose answer closes: node:http does not hear it out.
  if (isReset && (bytes.length > LARGE || requests > 1)) return ['reset'];
  let answers = takeApart(received);
  assert.ok(!isReset || answers.at(-1)?.headers.connection === 'close', 'the connection was reset');
  // node:http drops an answer that is not ready at once, such as an image, once its client has ended the connection.
  if (answers.length === 0 && /[^\r\n]/.test(text)) {
    ({ answers } = await converse(port, bytes));
    assert.ok(answers.length > 0, 'there is no answer');
  }
  for (const answer of answers) {
    const length = Number(answer.headers['content-length'] ?? 0);
    if (!text.includes('HEAD ') && answer.status !== 304)
      assert.equal(Buffer.byteLength(answer.body), length);
  }
  const [, target = ''] = /^[\r\n]*\S+ (\S+)/.exec(text) ?? [];
  if (answers.length === 1 && isRedirect(answers[0])) await follow(port, target, answers[0]);
  return answers.map(outcomeOf);
}

/** @throws where a new connection is not answered. */
export async function probe(port: number): Promise<void> {
  const { received } = await send(port, Buffer.from('GET /health/live HTTP/1.1\r\nHost: a\r\n\r\n'));
  assert.equal(takeApart(received)[0]?.status, 200, 'a new connection is not answered');
}

/** Sends bytes in parts and, where it `ends`, says that there are no more; resolves to what comes until the connection is closed. */
async function send(
  port: number,
  bytes: Buffer,
  ends = true,
): Promise<{ received: Buffer; isReset: boolean }> {
  const chunks: Buffer[] = [];
  let isReset = false;
  const socket = connect(port, '127.0.0.1');
  const late = setTimeout(() => socket.destroy(new Error('the connection does not end')), PATIENCE_MS);
  socket.on('data', chunk => chunks.push(chunk));
  socket.on('error', () => (isReset = true));
  const closed = new Promise(resolve => socket.once('close', resolve));
  await Promise.race([once(socket, 'connect'), closed]);
  // The same bytes are divided in the same way.
  const random = seededRandom(bytes.length);
  for (let left = between(random, 1, 4), start = 0; left > 0; left -= 1) {
    const end = left === 1 ? bytes.length : between(random, start, bytes.length);
    socket.write(bytes.subarray(start, end));
    start = end;
    await nextTurn();
  }
  if (ends) socket.end();
  await closed;
  clearTimeout(late);
  return { received: Buffer.concat(chunks), isReset };
}

function outcomeOf(answer: WireAnswer): string {
  const { status, body, headers } = answer;
  const type = headers['content-type'] ?? '';
  const isOther = status < 400 && (otherTypes.test(type) || body.startsWith('{"openapi":'));
  const outcome = body === '' || isOther ? String(status) : envelopeCode(answer);
  assert.notEqual(status, 500, outcome);
  return outcome;
}

function isRedirect(answer: WireAnswer | undefined): answer is WireAnswer {
  return answer !== undefined && answer.status >= 300 && answer.status < 400 && answer.status !== 304;
}

/** Asserts that a redirect leads somewhere. */
async function follow(port: number, target: string, { headers: { location } }: WireAnswer): Promise<void> {
  assert.ok(location, 'a redirect has no Location');
  const { pathname, search } = new URL(location, new URL(target, 'http://a'));
  const request = `GET ${pathname}${search} HTTP/1.1\r\nHost: a\r\n\r\n`;
  const { received } = await send(port, Buffer.from(request));
  assert.equal(takeApart(received)[0]?.status, 200, 'a redirect leads nowhere');
}
