import assert from 'node:assert/strict';
import { test } from 'node:test';
import { columnsOf } from '../../src/contract/columns.ts';
import { bundle } from '../../src/formats/markdown/bundle.ts';
import { parseMarkdown } from '../../src/formats/markdown/markdown.ts';
import { render, TooLong } from '../../src/formats/markdown/render.ts';
import { damageIn, leftoverIn } from '../../src/set/cells/warnings.ts';
import { skipInQuickRun } from '../support/skipping.ts';

/** Each is repeated to a long text; bars divide them. */
const PIECES =
  String.raw`{{|{% a|{{ }|%}|%%|%% a|[[a|[^a|:a|::: |<!--|<!-- a -->|--> <!--|<?|<![CDATA[|<a |<a b="|<a b='|<div|<div>\n\n|</div>|<i>
</i>|<del>|*<del>|*a</del>|<del>*a</del>*|- <del>\n|<div>\n\n<b>|<i></b>|<script>|<style>\n\n|<template>|<p>a|<li>|<ul><li>|<span hidden>
<div hidden>\n\n|</div>\n\n|<svg>|<table><tr><td>|a<center>b |> <div hidden>\n\n|<!-- a --> b\n\n|[a](|[a](b |![a](b .|[a](b (c|[a][|[a]: b\n\n|![
*a |~~a |\`a|> |- a\n|- [ ] a\n|&|&amp;|&amp;a|&amp;#1|&lt;|&lt;/p|\||a\|b\n-\|-\n|Ã|â|?| ?|#|a: |"|\\n|[a](b.md)|x\n---\n| \n|\t`
    .split(/(?<!\\)[|\n]/)
    .map(piece =>
      piece.replace(/\\([nt\\|\x60])/g, (_, sign) => ({ n: '\n', t: '\t' })[String(sign)] ?? sign),
    );

const columns = columnsOf('news');
const item = (text: string) => bundle([{ name: '1-a.md', content: Buffer.from(text) }]);
const WORK: Readonly<Record<string, (text: string) => unknown>> = {
  'a text': text => render(text, false),
  'a heading': text => parseMarkdown(item(`# ${text}`), columns, () => {}),
  'a title': text => parseMarkdown(item(`---\ntitle: ${text}\n---\n`), columns, () => {}),
  'a cell': text => [damageIn(text), leftoverIn(text, 'title', 'csv')],
};

/** The CPU time of this thread's work, in microseconds. */
function workOf(run: () => unknown): number {
  const start = process.cpuUsage();
  try {
    run();
  } catch (error) {
    if (!(error instanceof TooLong)) throw error;
  }
  const { user, system } = process.cpuUsage(start);
  return user + system;
}

/** Less is not measurable. */
const LEAST = 4_000;

test('twelve times as long a text takes about twelve times as much work, whatever is in it', {
  skip: skipInQuickRun,
}, () => {
  for (const [what, work] of Object.entries(WORK))
    for (const piece of PIECES) {
      const [short = '', long = ''] = [4_000, 48_000].map(length => piece.repeat(length / piece.length));
      const least = Math.max(
        LEAST,
        workOf(() => work(short)),
      );
      // In quadratic time, it would be 144 times.
      assert.ok(workOf(() => work(long)) < 36 * least, `${JSON.stringify(piece)} in ${what}`);
    }
});
