import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings, UsageError } from '../../src/settings/read.ts';

test('a webhook needs a secret, and no message repeats the secret or the URL', () => {
  const expected =
    'whsec_ and the Base64 of 24 to 64 bytes, as from: echo "whsec_$(openssl rand -base64 32)"';
  assert.throws(
    () => readSettings({}, { WEBHOOK_URL: 'https://a.test' }),
    new UsageError(`WEBHOOK_SECRET: WEBHOOK_URL needs it; expected ${expected}`),
  );
  assert.throws(
    () => readSettings({}, { WEBHOOK_SECRET: 'secret' }),
    new UsageError(`WEBHOOK_SECRET: expected ${expected}`),
  );
  assert.throws(
    () => readSettings({}, { WEBHOOK_URL: 'https://a:secret@a.test' }),
    new UsageError(
      'WEBHOOK_URL: expected a URL such as https://example.com/purge, without user and password',
    ),
  );
});
