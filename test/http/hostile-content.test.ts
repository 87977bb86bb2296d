import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runInNewContext } from 'node:vm';
import { parse as parseLeniently } from 'jsonc-parser';
import { shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';

/** What editors paste, and what others may have made them paste. */
const hostile = [
  'line\u2028and paragraph\u2029separators',
  'NUL\u0000, bell\u0007, escape\u001b, delete\u007f and C1 \u0085',
  '</script><script>alert(1)</script><!--',
  '"quotes", \\backslashes\\, /slashes/ and \ttabs\r\n and lines',
  '{"success":false,"code":500}',
  '\ufeffa byte order mark, \ufffd, \u200b, \u202eturned round\u202c and \ufffe',
  '__proto__ constructor hasOwnProperty',
  '𝒳 👩‍👩‍👧 e\u0301 香港 \u{10ffff}',
];

/** As JSON files have it that were written by programs that escape all that they can. */
const escaped = (text: string) =>
  [...Array(text.length).keys()]
    .map(index => `\\u${text.charCodeAt(index).toString(16).padStart(4, '0')}`)
    .join('');

const row = (id: number, text: string) =>
  `{"id":${id},"title":"${text}","content":"${text}","keywords":"${text}","create_time":${1_700_000_000 + id}}`;

for (const [what, write] of [
  ['as they are', (text: string) => JSON.stringify(text).slice(1, -1)],
  ['as escapes', escaped],
] as const) {
  test(`texts of any characters, in the file ${what}, become JSON that every parser reads the same`, async t => {
    const rows = hostile.map((text, index) => row(index + 1, write(text)));
    const { app } = await startService(t, shopWith({ 'news.json': `[${rows.join()}]` }));
    for (const [index, text] of hostile.entries()) {
      const { rawPayload, headers } = await app.inject(`/api/news/${index + 1}`);
      // Fails where a byte is no UTF-8.
      const body = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(rawPayload);
      assert.equal(headers['content-length'], String(rawPayload.length));
      assert.ok(!rawPayload.some(byte => byte < 0x20), 'a bare control character');
      for (const parse of [JSON.parse, parseLeniently, (json: string) => runInNewContext(`(${json})`)]) {
        const { title, content, keywords } = parse(body).data;
        assert.deepEqual([title, content, keywords], [text, text, text]);
      }
    }
    const { list } = (await app.inject('/api/news')).json().data;
    assert.deepEqual(list.map(({ title }: { title: string }) => title).reverse(), hostile);
    const found = (await app.inject('/api/news?keyword=__proto__+constructor')).json().data;
    assert.equal(found.pagination.total, 1);
  });
}
