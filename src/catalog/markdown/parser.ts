import MarkdownIt, { type Token } from 'markdown-it';

/** CommonMark 0.31 with tables, as XHTML like the examples of its specification. */
export const markdown = new MarkdownIt('commonmark', { html: true, xhtmlOut: true, maxNesting: 100 }).enable(
  'table',
);
// An unsafe link is recognized, so that it can be reported.
markdown.validateLink = () => true;
// As in the specification, an empty quote has a line break.
markdown.renderer.rules.blockquote_open = (tokens, index, options, _env, renderer) =>
  `${renderer.renderToken(tokens, index, options).trimEnd()}\n`;

/** The text of inline tokens, without HTML. */
export function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      if (type === 'html_inline') return '';
      return children ? plainText(children) : content;
    })
    .join('');
}
