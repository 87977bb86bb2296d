import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { afterTest } from '../support/after-test.ts';
import { visit } from '../support/browser.ts';
import { type Files, shopWith } from '../support/catalogs.ts';
import { startService } from '../support/service.ts';
import { skipWithout } from '../support/skipping.ts';

const skip = skipWithout('chromium');

/** Texts that try to run `pwn()` in the page that shows them: at once, or once somebody points at something or follows it. */
const hostile = [
  // Raw HTML, whole, broken and hidden in what Markdown allows around it.
  '<script>pwn()</script>',
  'a <script>pwn()</script> b',
  '<script>\npwn()\n</script>\n\ntext',
  '<SCRIPT\n>pwn()</SCRIPT\n>',
  '<scr<script>ipt>pwn()</scr</script>ipt>',
  '<img src=x onerror=pwn()>',
  'a <img src=x onerror="pwn()"> b',
  '<img/src=x/onerror=pwn()>',
  '<svg onload=pwn()>',
  '<svg><animate onbegin=pwn() attributeName=x dur=1s></svg>',
  '<iframe srcdoc="<script>parent.pwn()</script>"></iframe>',
  '<iframe src="javascript:parent.pwn()"></iframe>',
  '<object data="javascript:pwn()"></object>',
  '<embed src="javascript:pwn()">',
  '<form action="javascript:pwn()"><button>Go</button></form>',
  '<a href="javascript:pwn()">link</a>',
  '<body onload=pwn()>',
  '<details open ontoggle=pwn()>x</details>',
  '<input autofocus onfocus=pwn()>',
  '<video><source onerror=pwn()></video>',
  '<style onload=pwn()></style>',
  '<meta http-equiv="refresh" content="0;url=javascript:pwn()">',
  '<base href="javascript:pwn();//">\n\n[a](x)',
  '<math><mtext><table><mglyph><style><img src=x onerror=pwn()>',
  '<!-- --><script>pwn()</script> -->',
  '<!--><img src=x onerror=pwn()>-->',
  '<![CDATA[<script>pwn()</script>]]>',
  '<?php <script>pwn()</script> ?>',
  '<!DOCTYPE <img src=x onerror=pwn()>>',
  '> <script>\n> pwn()\n> </script>',
  '- <img src=x onerror=pwn()>',
  '| a |\n|---|\n| <img src=x onerror=pwn()> |',
  '# <svg onload=pwn()>',
  '*<b onmouseover=pwn()>*',
  '\\<script>pwn()\\</script>',
  '&lt;script&gt;pwn()&lt;/script&gt;',
  '`<script>pwn()</script>`',
  '```html\n<script>pwn()</script>\n```',
  '```"><script>pwn()</script>\nx\n```',
  '```x" onmouseover="pwn()\ny\n```',
  // Links, in all the ways in which an address can be written.
  '[a](javascript:pwn())',
  '[a](JaVaScRiPt:pwn())',
  '[a]( javascript:pwn() )',
  '[a](<javascript:pwn()>)',
  '[a](<java\tscript:pwn()>)',
  '[a](java&#115;cript:pwn())',
  '[a](&#x6A;avascript:pwn())',
  '[a](java&Tab;script:pwn())',
  '[a](javascript&colon;pwn())',
  '[a](&#1;javascript:pwn())',
  '[a](<\u0001javascript:pwn()>)',
  '[a](javascript\\:pwn())',
  '[a](javascript://%0apwn())',
  '[a](javascript://example.com/%0Apwn())',
  '[a](vbscript:pwn())',
  '[a](data:text/html,<script>parent.pwn()</script>)',
  '[a](data:text/html;base64,PHNjcmlwdD5wYXJlbnQucHduKCk8L3NjcmlwdD4=)',
  '[a](file:///etc/passwd)',
  '<javascript:pwn()>',
  '<JAVASCRIPT:pwn()>',
  '[a][r]\n\n[r]: javascript:pwn()',
  '[r]\n\n[r]: <javascript:pwn()>\n',
  '[![a](x.png)](javascript:pwn())',
  '[a](x "onmouseover=pwn()")',
  '[a](x "\\" onmouseover=pwn() b=\\"")',
  '[a](x \'" onmouseover="pwn()\')',
  '[a](x&quot;onmouseover=&quot;pwn())',
  '[a](<x" onmouseover="pwn()>)',
  '[<img src=x onerror=pwn()>](x)',
  '[a](//evil" onmouseover="pwn())',
  // Images.
  '![a](javascript:pwn())',
  '![a](x" onerror="pwn())',
  '![a](<x" onerror="pwn()>)',
  '![" onerror="pwn()](x)',
  '![a](x "\\" onerror=\\"pwn()")',
  '![<img src=x onerror=pwn()>](x.png)',
  '![a](data:image/svg+xml,<svg onload=pwn()>)',
  '![a](vbscript:pwn())',
  '![a][r]\n\n[r]: javascript:pwn() "t"',
  // Tables.
  '|a|b|\n|-|:-:" onmouseover="pwn()|\n|1|2|',
  '|<b onmouseover=pwn()>|\n|-|\n|[a](javascript:pwn())|',
];

/** The items, with the title hostile too. */
const files: Files = Object.fromEntries(
  hostile.map((text, index) => [
    `news/${index + 1}.md`,
    `---\ncreate_time: 2024-01-05\ntitle: ${JSON.stringify(text)}\n---\n${text}\n`,
  ]),
);

/**
 * A page with no protection of its own, as a careless site may have it. It puts HTML where a site has it, and does what a
 * visitor may do with it. A fragment runs scripts, which innerHTML does not.
 */
const CARELESS_PAGE = `<!doctype html><title>Site</title><link rel="icon" href="data:,"><main></main><script>
function pwn() { window.isPwned = true; }
async function show(html) {
  const main = document.querySelector('main');
  main.replaceChildren(document.createRange().createContextualFragment(html));
  const elements = [...main.querySelectorAll('*')];
  for (const element of elements)
    for (const type of ['mouseover', 'focus', 'error', 'load', 'toggle']) element.dispatchEvent(new Event(type));
  await new Promise(resolve => setTimeout(resolve));
  const attributes = elements.flatMap(({ attributes }) => [...attributes].map(({ name }) => name));
  return {
    isPwned: 'isPwned' in window,
    tags: elements.map(({ localName }) => localName),
    handlers: attributes.filter(name => name.startsWith('on')),
    protocols: elements.map(({ protocol }) => protocol).filter(Boolean),
  };
}
</script>`;

/** What the page finds in HTML. */
interface Found {
  isPwned: boolean;
  tags: string[];
  handlers: string[];
  /** Of links. */
  protocols: string[];
}

const HARMLESS = 'p a img em code pre blockquote ul li h1 table thead tbody tr th td'.split(' ');

test('hostile Markdown has no script, no event handler and no link that runs anything', {
  skip,
}, async t => {
  const { ask } = await startService(t, shopWith({ 'news.json': null, ...files }));
  const server = createServer((request, response) => {
    const isPage = request.url === '/';
    response.setHeader('content-type', isPage ? 'text/html; charset=utf-8' : 'image/png');
    response.end(isPage ? CARELESS_PAGE : '');
  });
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve));
  afterTest(t, () => server.close());
  await visit(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`, async ({ page }) => {
    const show = (html: string) => page.evaluate<Found>(`show(${JSON.stringify(html)})`);
    for (const [index, text] of hostile.entries()) {
      const { data } = await ask(`/api/news/${index + 1}`);
      const { isPwned, tags, handlers, protocols } = await show(data.content);
      assert.deepEqual({ isPwned, handlers }, { isPwned: false, handlers: [] }, text);
      assert.deepEqual(
        tags.filter(tag => !HARMLESS.includes(tag)),
        [],
        text,
      );
      assert.deepEqual(
        protocols.filter(protocol => protocol !== 'http:'),
        [],
        text,
      );
    }
    const { isPwned, tags, handlers } = await show('<img src=x onerror="pwn()">');
    assert.deepEqual([isPwned, tags, handlers], [true, ['img'], ['onerror']], 'the page would notice');
  });
});
