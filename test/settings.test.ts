import assert from 'node:assert/strict';
import { basename } from 'node:path';
import { test } from 'node:test';
import { readSettings, settingsFrom, UsageError } from '../src/settings/read.ts';
import { settingNames, settings } from '../src/settings/settings.ts';

test('a setting without a flag or a variable has its default', () => {
  assert.deepEqual(readSettings({}, {}), settingsFrom({}));
  for (const name of settingNames)
    assert.deepEqual(settingsFrom({})[name], settings[name].parse(settings[name].default), name);
});

test('images and state lie beside the catalogs, unless they are set', () => {
  const own = basename(process.cwd());
  for (const [catalogDir, images, state] of [
    ['data/catalog', settings.imagesDir.default, settings.stateDir.default],
    ['shop/catalog', 'shop/images', 'shop/state'],
    ['shop/catalog/', 'shop/images', 'shop/state'],
    ['catalog', 'images', 'state'],
    ['shop', 'shop-images', 'shop-state'],
    ['./shop/', 'shop-images', 'shop-state'],
    ['/srv/shop', '/srv/shop-images', '/srv/shop-state'],
    ['.', `../${own}-images`, `../${own}-state`],
  ] as const)
    for (const read of [
      settingsFrom({ catalogDir }),
      readSettings({ 'catalog-dir': catalogDir }, {}),
      readSettings({}, { CATALOG_DIR: catalogDir, STATE_DIR: '' }),
    ])
      assert.deepEqual([read.imagesDir, read.stateDir], [images, state], catalogDir);
  const set = readSettings({ 'catalog-dir': 'shop', 'images-dir': 'a' }, { STATE_DIR: 'b' });
  assert.deepEqual([set.imagesDir, set.stateDir], ['a', 'b']);
});

test('parses every kind of value', () => {
  const cases: [name: keyof typeof settings, text: string, value: unknown][] = [
    ['port', '0', 0],
    ['port', '65535', 65535],
    ['loadMemoryMb', '2048', 2048],
    ['cacheMaxAge', '604800', 604_800],
    ['basePath', '/', ''],
    ['basePath', '/shop/', '/shop'],
    ['publicUrl', 'http://a.test:8080/my/shop/', 'http://a.test:8080/my/shop'],
    ['publicUrl', 'https://münchen.test/ä', 'https://xn--mnchen-3ya.test/%C3%A4'],
    ['corsOrigin', 'off', []],
    ['corsOrigin', '', []],
    ['corsOrigin', 'https://a.test, http://localhost:5173', ['https://a.test', 'http://localhost:5173']],
    ['trustProxy', '', []],
    ['trustProxy', '10.0.0.0/8, ::1,2001:db8::/32', ['10.0.0.0/8', '::1', '2001:db8::/32']],
    ['redisUrl', '', []],
    ['redisUrl', 'rediss://:secret@a.test:6380/1', ['rediss://:secret@a.test:6380/1']],
    ['redisUrl', 'redis://[::1]:7000, redis://a:7001', ['redis://[::1]:7000', 'redis://a:7001']],
    ['redisUrl', 'redis://a/,redis://u:p@b', ['redis://a/', 'redis://u:p@b']],
    ['redisUrl', 'redis+sentinel://a/shop', ['redis+sentinel://a/shop']],
    [
      'redisUrl',
      'rediss+sentinel://u:p@a:1, b ,[::1]:2/shop/3?sentinelPassword=',
      ['//u:p@a:1', '//b', '//[::1]:2/shop/3?sentinelPassword='].map(rest => `rediss+sentinel:${rest}`),
    ],
    ['strict', '1', true],
    ['strict', 'false', false],
  ];
  for (const [name, text, value] of cases)
    assert.deepEqual(settings[name].parse(text), value, `${name} ${text}`);
  const unchanged: [name: keyof typeof settings, texts: string[]][] = [
    ['basePath', ['', '/a/b-c']],
    ['webhookUrl', ['', 'https://a.test/purge?key=1']],
    ['webhookSecret', ['', `whsec_${'A'.repeat(32)}`, `whsec_${'A'.repeat(43)}=`]],
    ['newsUrl', ['', 'https://a.test/news/{id}', 'http://a.test:8080/n?a=1&id={id}#top']],
    ['newsUrl', ['https://münchen.test/item-{id}.html']],
    ['publicUrl', ['', 'https://a.test']],
    ['previewToken', ['', 'aA1-._~+/=aA1-._']],
    ['feedTitle', ['News & more']],
    ['timeZone', ['Europe/Berlin']],
    ['corsOrigin', ['*']],
    ['redisPrefix', ['shop-1:a_b.C']],
    ['logLevel', ['silent']],
    ['csvEncoding', ['gb18030']],
    ['csvDecimal', [',']],
    ['holdBack', ['off']],
  ];
  for (const [name, texts] of unchanged)
    for (const text of texts) assert.equal(settings[name].parse(text), text, `${name} ${text}`);
});

test('rejects every other text', () => {
  /** Texts, separated by spaces; `␣` stands for one. */
  const cases: [name: keyof typeof settings, texts: string][] = [
    ['loadMemoryMb', ' Auto 63 1e3'],
    ['port', ' ␣80 -1 65536 80.0 0x50 http'],
    ['basePath', '/a␣b shop // /a//b /ä /a?b'],
    ['newsUrl', '/news/{id} a.test/{id} //a.test/{id} ftp://a.test/{id} javascript:{id} https://{id}'],
    ['newsUrl', 'https://a.test/news https://a.test/{id}/{id} https://a.test/{ID} https://a.test/{id}/..'],
    ['newsUrl', 'https://{id}.test/ https://a.test:{id}/ https://{id}:b@a.test/ https://a.test/#{id}'],
    ['newsUrl', 'https://a@a.test/{id} https://a:b@a.test/{id} https://:b@a.test/{id} https:///{id}'],
    ['publicUrl', '/shop a.test //a.test ftp://a.test https://a.test/?a=b https://a.test/?'],
    ['publicUrl', 'https://a.test/#top https://a@a.test https://a:b@a.test https://'],
    ['timeZone', ' Berlin +25:00'],
    ['flushIntervalMs', '0 9 3600001 1s'],
    ['corsOrigin', 'example.com https://a.test/ https://a.test, *,https://a.test'],
    ['csvEncoding', ' UTF-8 excel'],
    ['csvDecimal', ' ; .,'],
    ['strict', ' yes 2'],
    ['holdBack', ' no ON'],
    ['trustProxy', 'true 1 localhost 10.0.0.0/33 10.0.0 ::1/129 10.0.0.0/8/8 10.0.0.1, *'],
    ['rateLimit', ' -1 1.5 10/s'],
    ['redisPrefix', ` {a} ä a/b ${'a'.repeat(41)}`],
    ['logLevel', 'INFO verbose '],
    ['cacheMaxAge', ' -1 604801 1m'],
    ['webhookUrl', 'a.test //a.test ftp://a.test https://a@a.test https://a:b@a.test https://a.test/#a'],
    ['webhookSecret', `whsec_ whsec_${'A'.repeat(31)} whsec_${'A'.repeat(28)} whsec_${'A'.repeat(88)}`],
    ['webhookSecret', `${'A'.repeat(32)} whsec_${'-'.repeat(32)}`],
  ];
  for (const [name, texts] of cases)
    for (const text of texts.split(' ').map(text => text.replace('␣', ' ')))
      assert.equal(settings[name].parse(text), undefined, `${name} ${text}`);
});

const PATH = 'expected a path, got ';
/** Options in code that are wrong, and how the message begins. */
const wrongOptions: [options: object, message: string][] = [
  [{ port: 1.5 }, 'port: expected a whole number from 0 to 65535, got "1.5"'],
  [{ port: [80] }, 'port: expected a whole number from 0 to 65535, got [ 80 ]'],
  [{ timeZone: 'Nowhere' }, 'timeZone: expected an IANA time zone such as Europe/Berlin, got "Nowhere"'],
  [{ CATALOG_DIR: 1 }, 'unknown option: CATALOG_DIR; did you mean catalogDir?'],
  [{ webhookUrl: 'https://shop.test' }, 'webhookSecret: webhookUrl needs it; expected whsec_'],
  [{ catalogDir: 5 }, `catalogDir: ${PATH}5`],
  [{ stateDir: 'a\0b' }, `stateDir: ${PATH}"a\\u0000b"`],
  [{ stateDir: ['state'] }, `stateDir: ${PATH}[ 'state' ]`],
  [{ imagesDir: new URL('https://a.test') }, `imagesDir: ${PATH}URL { href: 'https://a.test/'`],
  [{ imagesDir: new URL('file://host/images') }, `imagesDir: ${PATH}URL { href: 'file://host/images'`],
  [{ host: new URL('http://a.test') }, "host: expected text, got URL { href: 'http://a.test/'"],
  [{ corsOrigin: ['https://a.test', 5] }, 'corsOrigin: expected *, off or comma-separated origins'],
  [{ strict: 'yes' }, 'strict: expected true, false, 1 or 0, got "yes"'],
];

test('checks options given in code, which may have other types than texts', () => {
  const origins = ['https://a.test', 'https://b.test'];
  assert.deepEqual(settingsFrom({ port: 0, corsOrigin: origins }).corsOrigin, origins);
  assert.deepEqual(settingsFrom({ corsOrigin: [] }).corsOrigin, []);
  for (const [options, message] of wrongOptions)
    assert.throws(
      () => settingsFrom(options),
      error => error instanceof UsageError && error.message.startsWith(message),
      message,
    );
});

test('no message repeats a setting that may hold a password', () => {
  const cases: [name: 'redisUrl' | 'previewToken' | 'webhookUrl' | 'webhookSecret', texts: string][] = [
    ['redisUrl', 'secret:6379 http://u:secret@a redis:// /run/secret.sock redis://u:secret@a,'],
    ['redisUrl', 'redis://:se#cret@a redis://:secret%@a redis://:secret%E4@a redis:/u:secret@a'],
    ['redisUrl', 'redis+sentinel:// redis+sentinel://u:secret@a:x/shop redis+sentinels://secret/a'],
    ['redisUrl', 'redis://a?secretMasterId=b redis://a/0#secret redis://secret,redis://b?secret=1'],
    ['redisUrl', 'redis://a/secret redis://a/1/2 redis://a/-1 redis://a/#secret'],
    ['redisUrl', 'redis://secret,rediss://b redis://secret,redis+sentinel://b/c'],
    [
      'redisUrl',
      'redis://u:secret@a,redis://u:other@b redis://secret,redis://b/1 redis://secret/1,redis://b',
    ],
    ['redisUrl', 'redis+sentinel://secret redis+sentinel://secret/ redis+sentinel://a/secret/x'],
    [
      'redisUrl',
      'redis+sentinel://a/secret,b redis+sentinel://a/shop,b/secret redis+sentinel://a?secret,b/c',
    ],
    ['redisUrl', 'redis+sentinel://a/shop?secret=1 redis+sentinel://a/shop#secret'],
    ['previewToken', `secret with-umlaut-secrét-of-24-chars ${'x'.repeat(257)}`],
    ['webhookUrl', 'secret https://a:secret@a.test'],
    ['webhookSecret', 'secret'],
  ];
  for (const [name, texts] of cases)
    for (const text of texts.split(' '))
      for (const value of [text, { text }])
        assert.throws(() => settingsFrom({ [name]: value }), {
          message: `${name}: expected ${settings[name].expected}`,
        });
});

test('a setting names its flag and its variable, the flag wins, and an empty variable is unset', () => {
  for (const name of settingNames) assert.match(name, /^[a-z]+([A-Z][a-z]+)*$/);
  const values = { FLUSH_INTERVAL_MS: '50', CATALOG_DIR: 'env', HOST: '', TIME_ZONE: '' };
  const { flushIntervalMs, catalogDir, host, timeZone } = readSettings({ 'catalog-dir': 'flag' }, values);
  assert.deepEqual([flushIntervalMs, catalogDir, host, timeZone], [50, 'flag', '127.0.0.1', 'UTC']);
});
