import assert from 'node:assert/strict';
import { type Files, shopWith } from '../support/catalogs.ts';
import { test } from '../support/page/serve.ts';

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

/** What must be found. */
const CONTROL = '<a href="javascript:pwn()" id=x><script>pwn()</script></a>';
const HARMLESS = 'html head body p a img em code pre blockquote ul li h1 table thead tbody tr th td'.split(
  ' ',
);
const ATTRIBUTES = ['href', 'src', 'alt', 'title', 'class', 'style'];

/** What a browser makes of contents: elements, attributes, and where links lead. */
const PARSE = `contents => contents.map(content => {
  const elements = [...new DOMParser().parseFromString(content, 'text/html').querySelectorAll('*')];
  return {
    tags: elements.map(({ localName }) => localName),
    attributes: elements.flatMap(element => element.getAttributeNames()),
    protocols: elements.map(({ protocol }) => protocol).filter(Boolean),
  };
})`;

test('hostile Markdown has no script, no event handler and no link that runs anything', {
  files: shopWith({ 'news.json': null, ...files }),
}, async ({ page, ask }) => {
  const contents: string[] = [];
  for (const id of hostile.keys()) contents.push((await ask(`/api/news/${id + 1}`)).data.content);
  const parsed = await page.evaluate(`(${PARSE})(${JSON.stringify([...contents, CONTROL])})`);
  const found = (parsed as Record<'tags' | 'attributes' | 'protocols', string[]>[]).map(
    ({ tags, attributes, protocols }) => [
      ...tags.filter(tag => !HARMLESS.includes(tag)),
      ...attributes.filter(name => !ATTRIBUTES.includes(name)),
      ...protocols.filter(protocol => protocol !== 'http:'),
    ],
  );
  assert.deepEqual(found.pop(), ['script', 'id', 'javascript:'], 'it would be noticed');
  for (const [index, faults] of found.entries()) assert.deepEqual(faults, [], hostile[index]);
});
