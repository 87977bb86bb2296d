import assert from 'node:assert/strict';
import { test } from 'node:test';
import { parseAddress } from '../../src/reads/redis/connection.ts';

test('hosts of IPv6 lose their brackets, and ports, logins and databases reach ioredis decoded', () => {
  assert.deepEqual(parseAddress(['rediss://sh%C3%B6p:p%40ss@[::1]:7000/2']), {
    nodes: [{ host: '::1', port: 7000 }],
    login: { username: 'shöp', password: 'p@ss', tls: {} },
    single: { host: '::1', port: 7000, username: 'shöp', password: 'p@ss', tls: {}, db: 2 },
  });
});
