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

test('the login of one node holds for all', () => {
  const { nodes, login } = parseAddress(['redis://a', 'redis://:secret@b:1']);
  assert.deepEqual(nodes, [{ host: 'a' }, { host: 'b', port: 1 }]);
  assert.deepEqual(login, { username: '', password: 'secret' });
});

test('Sentinels are no nodes; the last one has the name', () => {
  assert.deepEqual(parseAddress(['redis+sentinel://:secret@a', 'redis+sentinel://b:1/my%20shop/3']), {
    nodes: [],
    login: { username: '', password: 'secret' },
    single: {
      sentinels: [{ host: 'a' }, { host: 'b', port: 1 }],
      name: 'my shop',
      db: 3,
      ...{ username: '', password: 'secret', sentinelUsername: '', sentinelPassword: 'secret' },
    },
  });
});
