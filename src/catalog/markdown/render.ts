import type { Token } from 'markdown-it';
import { MAX_TEXT_LENGTH } from '../../contract/columns.ts';
import { imageFile, isUnsafe } from './links.ts';
import { markdown, plainText } from './parser.ts';

/** Something in a text, and its line in the text, from 0. */
export interface Finding {
  line: number;
  /** How it is written: a tag, an address or the name of a file. */
  what: string;
}

/** A Markdown text as HTML. */
export interface Rendered {
  html: string;
  /** HTML that is left out. */
  omittedHtml: Finding[];
  /** Links and images that are left out, because their addresses are unsafe. Their texts stay. */
  omittedLinks: Finding[];
  /** The files of the images directory that it shows. */
  images: Finding[];
}

/** The text becomes too long as HTML, such as by references to long addresses. */
export class TooLong extends Error {}

/**
 * Renders a text. Leaves out unsafe links and, unless `allowsHtml`, all HTML. Relative images become those of
 * `/images/`. @throws TooLong if the HTML has more than 1,000,000 characters.
 */
export function render(text: string, allowsHtml: boolean): Rendered {
  const tokens = markdown.parse(text, {});
  if (attributesLength(tokens) > MAX_TEXT_LENGTH) throw new TooLong();
  const rendered: Rendered = { html: '', omittedHtml: [], omittedLinks: [], images: [] };
  const kept = rewrite(tokens, 0, allowsHtml, rendered);
  rendered.html = markdown.renderer.render(kept, markdown.options, {}).trimEnd();
  if (rendered.html.length > MAX_TEXT_LENGTH) throw new TooLong();
  return rendered;
}

/** HTML that nobody misses by itself. */
const COMMENT_OR_END = /^(?:<!--.*-->\s*|<\/[^>]*>)$/s;

/** The tokens that are rendered, rewritten, and what was found on the way. `first` is the line of the first token. */
function rewrite(tokens: Token[], first: number, allowsHtml: boolean, found: Rendered): Token[] {
  let line = first;
  let isInOmittedLink = false;
  return tokens.filter(token => {
    const { type, content } = token;
    if (token.map) line = token.map[0];
    if (type === 'softbreak' || type === 'hardbreak') line += 1;
    if (type === 'html_block' || type === 'html_inline') {
      const isSilent = allowsHtml || COMMENT_OR_END.test(content);
      if (!isSilent) found.omittedHtml.push({ line, what: content });
      return allowsHtml;
    }
    if (type === 'link_open') {
      const address = String(token.attrGet('href'));
      isInOmittedLink = isUnsafe(address);
      if (isInOmittedLink) found.omittedLinks.push({ line, what: address });
      return !isInOmittedLink;
    }
    if (type === 'link_close') return !isInOmittedLink;
    if (type === 'image') rewriteImage(token, line, found);
    else if (token.children) token.children = rewrite(token.children, line, allowsHtml, found);
    return true;
  });
}

/** Lets an image come from `/images/`. Of one that is left out, its description stays. */
function rewriteImage(token: Token, line: number, { omittedLinks, images }: Rendered): void {
  const address = String(token.attrGet('src'));
  const file = imageFile(address);
  if (isUnsafe(address)) {
    omittedLinks.push({ line, what: address });
    Object.assign(token, { type: 'text', content: plainText(token.children ?? []), children: null });
  } else if (file !== undefined) {
    images.push({ line, what: file });
    token.attrSet('src', `/images/${encodeURIComponent(file)}`);
  }
}

/** References repeat the address of a link, which is written once. */
function attributesLength(tokens: readonly Token[]): number {
  return tokens.reduce((sum, { attrs, children }) => {
    const own = (attrs ?? []).reduce((length, [, value]) => length + String(value).length, 0);
    return sum + own + attributesLength(children ?? []);
  }, 0);
}
