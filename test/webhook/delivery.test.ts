import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, type RequestListener } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { post } from '../../src/webhook/delivery.ts';
import { afterTest } from '../support/after-test.ts';
import { SECRET, startReceiver } from '../support/webhook/receiver.ts';
import { BEGIN } from '../support/webhook/sender.ts';

test('a webhook is signed as the library of Standard Webhooks expects, and no redirect is followed', async t => {
  const receiver = await startReceiver(t);
  const send = () => post({ url: receiver.url, secret: SECRET }, 'msg_1', '{"type":"ü"}', Date.now() / 1000);
  const statuses = [200, 204, 301, 308, 404, 500];
  for (const status of statuses) {
    receiver.answerWith(() => status);
    const answer = await send();
    assert.equal(answer.status, status);
    assert.match(answer.text, status === 204 ? /^$/ : /^x{200}$/);
  }
  assert.equal(receiver.received.length, statuses.length);
  assert.deepEqual(receiver.faults, []);
  const gone = await startReceiver(t);
  await gone.stop();
  const fault = new Error('the receiver cannot be reached: connection refused');
  await assert.rejects(post({ url: gone.url }, 'msg_1', '{}', BEGIN), fault);
});

test('a receiver that hangs is left after its time, and one that never ends has answered by its status', async t => {
  const serve = async (listener: RequestListener) => {
    const server = createServer(listener);
    await once(server.listen(0, '127.0.0.1'), 'listening');
    afterTest(t, () => {
      server.closeAllConnections();
      server.close();
    });
    return { url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/` };
  };
  const hanging = await serve(() => {});
  const fault = new Error('the receiver did not answer within 0.2 s');
  await assert.rejects(post(hanging, '', '{}', BEGIN, undefined, 200), fault);
  const silent = await serve((_, response) => void response.writeHead(200).flushHeaders());
  assert.deepEqual(await post(silent, '', '{}', BEGIN, undefined, 2_000), { status: 200, text: '' });
  const endless = await serve((_, response) => {
    const write = (): void => void (response.write('y'.repeat(60_000)) ? setImmediate(write) : undefined);
    response.on('drain', write);
    write();
  });
  assert.equal((await post(endless, '', '{}', BEGIN)).text, 'y'.repeat(200));
});
