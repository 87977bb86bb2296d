import assert from 'node:assert/strict';
import { once } from 'node:events';
import type { Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { TestContext } from 'node:test';
import { afterTest } from './after-test.ts';

/** Lets a server listen on the loopback until the test ends; resolves to its address. */
export async function listen(t: TestContext, server: Server): Promise<string> {
  await once(server.listen(0, '127.0.0.1'), 'listening');
  afterTest(t, () => {
    server.close();
    server.closeAllConnections();
  });
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** An answer as it came over the connection. */
export interface WireAnswer {
  status: number;
  headers: Record<string, string>;
  body: string;
}

/**
 * Sends bytes over a connection of its own, and returns the answers that come, and whether the server closed the
 * connection by itself: one that it keeps is shown to be in order by one more request. Fails over a reset, and over
 * anything besides answers.
 */
export async function converse(port: number, bytes: Buffer) {
  const socket = connect(port, '127.0.0.1');
  await once(socket, 'connect');
  const reading = readAnswers(socket);
  socket.write(bytes);
  await Promise.race([once(socket, 'data'), once(socket, 'close')]);
  if (socket.writable) socket.write('GET /health/live HTTP/1.1\r\nHost: last\r\nConnection: close\r\n\r\n');
  const answers = await reading;
  const asked = answers.filter(({ body }) => !body.endsWith('{"status":"live"}}'));
  return { answers: asked, closed: asked.length === answers.length };
}

/** The answers that come over a connection until it is closed; fails where it is reset. */
export async function readAnswers(socket: Socket): Promise<WireAnswer[]> {
  const chunks: Buffer[] = [];
  socket.on('data', chunk => chunks.push(chunk));
  await once(socket, 'close');
  return takeApart(Buffer.concat(chunks));
}

/** Takes a stream of answers apart by their Content-Length; those to HEAD have one and no body. */
export function takeApart(bytes: Buffer): WireAnswer[] {
  const answers: WireAnswer[] = [];
  let rest = bytes;
  while (rest.length > 0) {
    const end = rest.indexOf('\r\n\r\n');
    assert.ok(end > 0, `no answer: ${rest.toString('latin1')}`);
    const [statusLine = '', ...lines] = rest.toString('latin1', 0, end).split('\r\n');
    const [, status] = /^HTTP\/1\.1 (\d{3}) [A-Z]/.exec(statusLine) ?? assert.fail(statusLine);
    const headers = Object.fromEntries(lines.map(headerOf));
    assert.equal(Object.keys(headers).length, lines.length, `a header twice: ${lines.join(', ')}`);
    if (status !== '204' && status !== '304') assert.match(headers['content-length'] ?? '', /^\d+$/);
    rest = rest.subarray(end + 4);
    const isOver = rest.length === 0 || rest.toString('latin1', 0, 9) === 'HTTP/1.1 ';
    const length = isOver ? 0 : Number(headers['content-length']);
    const body = rest.subarray(0, length);
    assert.equal(body.length, length, 'the body is shorter than Content-Length says');
    answers.push({ status: Number(status), headers, body: body.toString() });
    rest = rest.subarray(length);
  }
  return answers;
}

function headerOf(line: string): [name: string, value: string] {
  const [, name = '', value = ''] = /^([\w-]+): (.*)$/.exec(line) ?? assert.fail(`no header: ${line}`);
  return [name.toLowerCase(), value];
}

/** Asserts that an answer is the envelope, whatever it says; returns the code of the error, or 'ok'. */
export function envelopeCode({ status, headers, body }: WireAnswer): string {
  assert.equal(headers['content-type'], 'application/json; charset=utf-8');
  assert.equal(headers['x-content-type-options'], 'nosniff');
  assert.equal(headers['content-length'], String(Buffer.byteLength(body)));
  const envelope = JSON.parse(body);
  assert.deepEqual(Object.keys(envelope), ['success', 'code', 'message', 'data']);
  assert.equal(envelope.code, status);
  assert.equal(envelope.success, status === 200);
  assert.equal(typeof envelope.message, 'string');
  if (envelope.success) return 'ok';
  assert.deepEqual(Object.keys(envelope.data), ['error', 'details']);
  return envelope.data.error;
}
