import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSettings, settingNames, settings, settingsFrom, UsageError } from '../src/settings.ts';

test('every default is valid, and stands where neither flag nor variable does', () => {
  assert.deepEqual(readSettings({}, {}), settingsFrom({}));
  assert.deepEqual(settingsFrom({}), {
    host: '127.0.0.1',
    port: 3000,
    basePath: '',
    newsUrl: '',
    catalogDir: 'data/catalog',
    imagesDir: 'data/images',
    stateDir: 'data/state',
    timeZone: 'UTC',
    csvEncoding: 'utf-8',
    csvDecimal: '.',
    maxFileMb: 64,
    allowShrink: false,
    reloadPollMs: 1000,
    reloadQuietMs: 300,
    flushIntervalMs: 1000,
    corsOrigin: '*',
    redisUrl: [],
    rateLimit: 0,
    trustProxy: [],
    maxConnections: 4000,
    requestTimeoutMs: 8000,
    idleTimeoutMs: 8000,
    keepAliveMs: 8000,
    drainMs: 500,
    logRequests: false,
    logLevel: 'info',
  });
});

test('reads each form of value', () => {
  const cases: [name: keyof typeof settings, text: string, value: unknown][] = [
    ['port', '0', 0],
    ['port', '65535', 65535],
    ['basePath', '/', ''],
    ['basePath', '/shop/', '/shop'],
    ['basePath', '/a/b-c', '/a/b-c'],
    ['newsUrl', '', ''],
    ['newsUrl', 'https://a.test/news/{id}', 'https://a.test/news/{id}'],
    ['newsUrl', 'http://a.test:8080/n?a=1&id={id}#top', 'http://a.test:8080/n?a=1&id={id}#top'],
    ['newsUrl', 'https://münchen.test/item-{id}.html', 'https://münchen.test/item-{id}.html'],
    ['timeZone', 'Europe/Berlin', 'Europe/Berlin'],
    ['corsOrigin', '*', '*'],
    ['corsOrigin', 'off', []],
    ['corsOrigin', '', []],
    ['corsOrigin', 'https://a.test, http://localhost:5173', ['https://a.test', 'http://localhost:5173']],
    ['trustProxy', '', []],
    ['trustProxy', '127.0.0.1', ['127.0.0.1']],
    ['trustProxy', '10.0.0.0/8, ::1,2001:db8::/32', ['10.0.0.0/8', '::1', '2001:db8::/32']],
    ['redisUrl', '', []],
    ['redisUrl', 'redis://localhost', ['redis://localhost']],
    ['redisUrl', 'rediss://:secret@a.test:6380/1', ['rediss://:secret@a.test:6380/1']],
    ['redisUrl', 'redis://[::1]:7000, redis://a:7001', ['redis://[::1]:7000', 'redis://a:7001']],
    ['logLevel', 'silent', 'silent'],
    ['csvEncoding', 'gb18030', 'gb18030'],
    ['csvDecimal', ',', ','],
    ['allowShrink', '1', true],
    ['allowShrink', 'false', false],
  ];
  for (const [name, text, value] of cases)
    assert.deepEqual(settings[name].parse(text), value, `${name} ${text}`);
});

test('refuses every other form', () => {
  const cases: [name: keyof typeof settings, texts: string[]][] = [
    ['port', ['', '-1', '65536', '80.0', '0x50', ' 80', 'http']],
    ['basePath', ['shop', '//', '/a//b', '/a b', '/ä', '/a?b']],
    [
      'newsUrl',
      [
        ...[
          '/news/{id}',
          'a.test/{id}',
          '//a.test/{id}',
          'ftp://a.test/{id}',
          'javascript:{id}',
          'https://{id}',
        ],
        ...[
          'https://a.test/news',
          'https://a.test/{id}/{id}',
          'https://a.test/{ID}',
          'https://a.test/{id}/..',
        ],
        ...['https://{id}.test/', 'https://a.test:{id}/', 'https://{id}:b@a.test/', 'https://a.test/#{id}'],
        ...['https://a@a.test/{id}', 'https://a:b@a.test/{id}', 'https://:b@a.test/{id}', 'https:///{id}'],
      ],
    ],
    ['timeZone', ['', 'Berlin', '+25:00']],
    ['flushIntervalMs', ['0', '9', '3600001', '1s']],
    ['corsOrigin', ['example.com', 'https://a.test/', 'https://a.test,', '*,https://a.test']],
    ['csvEncoding', ['', 'UTF-8', 'excel']],
    ['csvDecimal', ['', ';', '.,']],
    ['allowShrink', ['', 'yes', '2']],
    [
      'trustProxy',
      ['true', '1', 'localhost', '10.0.0.0/33', '10.0.0', '::1/129', '10.0.0.0/8/8', '10.0.0.1,', '*'],
    ],
    ['rateLimit', ['', '-1', '1.5', '10/s']],
    ['redisUrl', ['localhost:6379', 'http://a.test', 'redis://', '/run/redis.sock', 'redis://a,', 'true']],
    ['logLevel', ['INFO', 'verbose', '']],
  ];
  for (const [name, texts] of cases) {
    for (const text of texts) assert.equal(settings[name].parse(text), undefined, `${name} ${text}`);
  }
});

test('options in code are checked like all others', () => {
  assert.equal(
    settingsFrom({ port: 0, corsOrigin: ['https://a.test', 'https://b.test'] }).corsOrigin.length,
    2,
  );
  assert.deepEqual(settingsFrom({ corsOrigin: [] }).corsOrigin, []);
  assert.throws(
    () => settingsFrom({ port: 1.5 }),
    new UsageError('port is "1.5": write a whole number from 0 to 65535'),
  );
  assert.throws(() => settingsFrom({ timeZone: 'Nowhere' }), UsageError);
  assert.throws(
    () => readSettings({}, { NEWS_URL: 'example.com' }),
    new UsageError(
      'NEWS_URL is "example.com": write an address such as https://example.com/news/{id}, with {id} once, in its path or query',
    ),
  );
});

test('environment variables and flags are named after the setting', () => {
  for (const name of settingNames) assert.match(name, /^[a-z]+([A-Z][a-z]+)*$/);
  const values = { FLUSH_INTERVAL_MS: '50', CATALOG_DIR: 'env' };
  const read = readSettings({ 'catalog-dir': 'flag' }, values);
  assert.deepEqual([read.flushIntervalMs, read.catalogDir], [50, 'flag']);
});
