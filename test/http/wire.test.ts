import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors } from '../../src/errors.ts';
import { cases } from '../support/http/wire-cases.ts';
import { startService } from '../support/service.ts';
import { converse, envelopeCode } from '../support/wire.ts';

test('any bytes from a client get envelopes, and the connection is kept or closed as HTTP says', async t => {
  const { listen } = await startService(t);
  const port = await listen();
  for (const [what, sent, expected, after] of cases) {
    await t.test(what, async () => {
      const bytes = typeof sent === 'string' ? Buffer.from(sent, 'latin1') : sent;
      const { answers, closed } = await converse(port, bytes);
      assert.deepEqual(answers.map(envelopeCode), expected);
      assert.deepEqual(
        answers.map(({ status }) => status),
        expected.map(code => (code === 'ok' ? 200 : errors[code].status)),
      );
      assert.equal(closed, after !== 'keeps');
      assert.equal(answers.at(-1)?.headers.connection === 'close', after === 'closes');
    });
  }
});
