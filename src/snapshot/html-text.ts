import { decodeHTMLStrict } from 'entities/decode';
import { Tokenizer } from 'htmlparser2';
import { hasMarkup, separatorOf, unseenTags } from '../contract/html-elements.ts';

/** Whether a text is HTML: it has a tag of a known element, a comment or a character reference, unlike `a < b` or `AT&T`. */
export function isHtml(text: string): boolean {
  return hasMarkup(text) || decodeEntities(text) !== text;
}

export function htmlText(content: string): string {
  return hasMarkup(content) ? visibleText(content) : decodeEntities(content);
}

/** Returns the visible text as non-empty paragraphs: the lines of HTML, or what blank lines separate without tags. */
export function paragraphsOf(content: string): string[] {
  const paragraphs = hasMarkup(content)
    ? visibleText(content).replace(/ {2,}/g, ' ').split('\n')
    : decodeEntities(content)
        .replace(/\r\n?/g, '\n')
        .split(/\n\s*\n/);
  return paragraphs.map(paragraph => paragraph.trim()).filter(Boolean);
}

/** Decodes a text without tags. References must end in a semicolon, so that `&copy=1` in a URL stays. */
function decodeEntities(text: string): string {
  return text.includes('&') ? decodeHTMLStrict(text) : text;
}

const ignore = () => {};

/**
 * Returns the text that browsers show for HTML, with their line breaks. Uses only the tokenizer of htmlparser2: its parser
 * looks up each end tag among all open elements, in quadratic time.
 */
function visibleText(html: string): string {
  let text = '';
  let opened = '';
  /** The hidden element around the current position, if any. */
  let hiddenIn = '';
  const add = (more: string) => {
    if (hiddenIn === '') text += more;
  };
  const tokenizer = new Tokenizer(
    // Decoding only where needed is faster. SVG and XHTML have self-closing tags.
    { decodeEntities: html.includes('&'), recognizeSelfClosing: true },
    {
      ontext: (start, end) => add(html.slice(start, end).replace(/[\t\n\f\r]+/g, ' ')),
      ontextentity: code => add(String.fromCodePoint(code)),
      onopentagname(start, end) {
        opened = html.slice(start, end).toLowerCase();
        add(separatorOf(opened));
        if (hiddenIn === '' && unseenTags.has(opened)) hiddenIn = opened;
      },
      onselfclosingtag() {
        if (opened === hiddenIn) hiddenIn = '';
      },
      onclosetag(start, end) {
        const name = html.slice(start, end).toLowerCase();
        // Annotations may lack end tags (HTML, section 4.5.11).
        const isEndOfRuby = name === 'ruby' && (hiddenIn === 'rt' || hiddenIn === 'rp');
        if (name === hiddenIn || isEndOfRuby) hiddenIn = '';
        add(separatorOf(name));
      },
      ...{ onattribdata: ignore, onattribend: ignore, onattribentity: ignore, onattribname: ignore },
      ...{ oncdata: ignore, oncomment: ignore, ondeclaration: ignore, onend: ignore },
      ...{ onopentagend: ignore, onprocessinginstruction: ignore },
    },
  );
  tokenizer.write(html);
  tokenizer.end();
  return text;
}
