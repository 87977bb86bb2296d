import { decodeHTMLStrict } from 'entities/decode';
import { Tokenizer } from 'htmlparser2';
import { elements } from './html-elements.ts';
import { VisibleText } from './visible-text.ts';

/** A comment, a doctype, a CDATA section, or a possible tag with its name; none extends past the next `<`. */
const MARKUP = /<(?:!--|!doctype\b|!\[CDATA\[|\/?([a-z][^\s<>/]*)(?:[\s/][^<>]*)?>)/gi;

/**
 * Whether a text is HTML: it has the tag of a known element, a comment or a character reference. `a < b`, `AT&T` and
 * `List<String>` are plain text.
 */
export function isHtml(text: string): boolean {
  return hasMarkup(text) || decode(text) !== text;
}

/** The visible text of HTML or of plain text. */
export function textOf(content: string): string {
  return hasMarkup(content) ? visibleText(content) : decode(content);
}

/**
 * The visible text in paragraphs, none of them empty: the lines of HTML, with single spaces; or, in a text without tags,
 * the parts between blank lines.
 */
export function paragraphsOf(content: string): string[] {
  const paragraphs = hasMarkup(content)
    ? visibleText(content).replace(/ {2,}/g, ' ').split('\n')
    : decode(content)
        .replace(/\r\n?/g, '\n')
        .split(/\n\s*\n/);
  return paragraphs.map(paragraph => paragraph.trim()).filter(Boolean);
}

function hasMarkup(text: string): boolean {
  if (!text.includes('<')) return false;
  for (const [, name] of text.matchAll(MARKUP)) {
    if (name === undefined || elements.has(name.toLowerCase())) return true;
  }
  return false;
}

/** Decodes a text without tags. A reference must end in a semicolon, so that `&copy=1` in a URL stays. */
function decode(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text;
}

/** The text that browsers show of HTML, with their line breaks. */
function visibleText(html: string): string {
  const visible = new VisibleText(html);
  // Not decoding is faster. SVG and XHTML have self-closing tags.
  const tokenizer = new Tokenizer(
    { decodeEntities: html.includes('&'), recognizeSelfClosing: true },
    visible,
  );
  tokenizer.write(html);
  tokenizer.end();
  return visible.text;
}
