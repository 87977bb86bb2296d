import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { startBrowser } from '../../scripts/browser.ts';
import { render } from '../../src/formats/markdown/render.ts';
import { skipWithout } from '../support/skipping.ts';

/** What stands in a line, divided by bars. Each @ becomes a word or a number of its own. */
const INLINE = String.raw`@|@ *@ @*|**@**|[@](#)|\`@\`|~~@~~|@<br>@|@<br/>@</br>@|@<sup>@</sup>|H<sub>@</sub>O
<s>@</s> @|<del>@|</del>|<del class="x">@ <ins>@</ins></del>|<del>**@</del> @**|*@ <s>@* @</s>|<kbd>@</kbd>+@|<mark>@</mark>
<small>(@)</small>|<b>@</b>|<b>@|</i>|<a href="x" title="a > b">@</a>|<span style="color:red">@ @</span>|<my-tag>@</my-tag>@|@<wbr>@
<font color=red>@</font>|<your-name>|a<b>c|<u>@ <i>@</u> @</i>|<q>@</q>|&eacute;@&amp;@|&lt;b&gt;@|<!-- @ -->|@<!-- @ -->@
@ <span hidden>@ *@*</span> @|<span style="DISPLAY : none">@ <b>@</b></span>@|<em style='display&#58;none'>@</em> @
<del hidden>@</del>@|@<script>@ *@*</script>@|<style>@</style>|<title>@ <b>@</title>@|<textarea>@</textarea> @
@ <iframe>@</iframe> @|<object data="x">@ @</object> @|@ <svg><text>@</text></svg> @|<template>@</template>@|<noscript>@</noscript>@
@<div>@</div>@|@<p>@</p>@|@ <img src="x.png" alt="@"> @|![@](x.png)|<span title="hidden display:none">@</span>|@<hr>@
@ <input value="@"> @|<span hidden>@|@</span> @|<li>@|@<center>@</center>@|<dialog>@</dialog>@|@<h2>@</h2>@`
  .split(/[|\n]/)
  .map(text => text.replaceAll('\\`', '`'));

/** Blocks, in which each $ is a line of these. */
const BLOCKS =
  String.raw`$|$\n$|# $|- $\n- $\n  - $\n- $|1. $\n\n   $\n2. $|> $\n> $|> $\n>\n> - $|~~~\n<b>@</b>\n~~~|    @ <b>@|---
\| $ \| $ \|\n\|---\|---\|\n\| $ \| $ \||<div class="box">\n$\n</div>|<div>\n\n$\n\n</div>|<div><p>@</p><p>@<br>@</p></div>
<div hidden>\n$ @\n</div>|<div hidden>\n\n$\n\n- $\n- @\n\n</div>\n\n@|<div style="display: none"><div>@</div>@</div>@|<p hidden>@\n\n@
<table><tr><td>@<td>@<tr hidden><td>@<td>@<tr><td>@</table>|<table>\n<tr>\n<td>\n\n$\n\n</td>\n<td>@</td>\n</tr>\n</table>
<ul><li>@<li hidden>@<ul><li>@</ul>@<li>@</ul>|<dl><dt>@<dd hidden>@<dt>@<dd>@</dl>|<details open><summary>@</summary>\n\n$\n\n</details>
<script>\n@\n\n@\n</script>\n\n@|<style>\n.a > b { @ }\n</style>|<!-- @\n\n@ -->|<!-- @ --> @ *@* <b>@</b> <!-- @ --> @|<pre>\n@\n\n@</pre>|<center>$</center>
<template>\n\n$\n\n</template>\n\n@|<h2 align="center">@ <small>@</small></h2>|<br>|<hr>|<img src="a.png">|<del>@\n@</del> @\n\n$
<iframe src="https://a.example/">\n</iframe>|<figure><img src="a.png"><figcaption>@</figcaption></figure>|<p align=center>@\n<p>@</p>
- <div hidden>@\n- $|> <p hidden>@\n\n@|<div>@ <s>@ </div>\n\n@|<svg width="1"><title>@</title><path d="M0"/></svg>\n\n@|<div>@<svg/>@</div>`
    .split(/(?<!\\)[|\n]/)
    .map(text => text.replaceAll('\\n', '\n').replaceAll('\\|', '|'));

const inline = fc.array(fc.constantFrom(...INLINE), { minLength: 24, maxLength: 24 });
const block = fc.tuple(fc.constantFrom(...BLOCKS), inline);
const texts = fc
  .sample(fc.array(block, { minLength: 1, maxLength: 5 }), {
    numRuns: 300,
    seed: Number(process.env.HTML_SEED ?? 60),
  })
  .map(blocks => {
    let number = 0;
    const lines = blocks.map(([block, inline]) => {
      let next = 0;
      const line = () => [0, 1, 2].map(() => inline[next++] ?? '').join(' ');
      return block.replace(/\$/g, line);
    });
    return lines.join('\n\n').replace(/@/g, () => (++number % 2 ? `w${number}` : `${number}.90`));
  });

/** What a visitor sees of HTML, without the elements that go with their texts. */
const WORDS = `html => {
  document.body.innerHTML = html;
  const gone = 'script,style,template,noscript,iframe,object,title,textarea,dialog,[hidden]';
  for (const element of document.querySelectorAll(gone)) element.remove();
  for (const element of document.querySelectorAll('img,input,svg')) element.replaceWith(' ');
  return document.body.innerText.match(/[\\p{L}\\p{N}.]+/gu) ?? [];
}`;

test('the words that a browser shows of HTML in Markdown are those of what stays of it', {
  skip: skipWithout('chromium'),
}, async () => {
  const browser = await startBrowser();
  try {
    const page = await browser.newPage({ offline: true });
    const words = (html: string): Promise<string[]> => page.evaluate(`(${WORDS})(${JSON.stringify(html)})`);
    for (const text of texts) {
      const { html } = render(text, false);
      assert.deepEqual(await words(html), await words(render(text, true).html), `${text}\n\n${html}`);
      assert.doesNotMatch(
        html,
        /<(?!\/?(?:p|a|img|em|strong|del|code|pre|blockquote|ul|ol|li|h\d|hr|br|table|thead|tbody|tr|th|td|ins|kbd|mark|s|small|sub|sup)\b)/,
      );
    }
  } finally {
    await browser.close();
  }
});
