import { decodeHTMLStrict } from 'entities/decode';
import { Tokenizer } from 'htmlparser2';

/** A comment, a doctype, a CDATA section, or a possible tag with its name; none extends past the next `<`. */
const MARKUP = /<(?:!--|!doctype\b|!\[CDATA\[|\/?([a-z][^\s<>/]*)(?:[\s/][^<>]*)?>)/gi;

/**
 * Whether a text is HTML: it has the tag of a known element, a comment or a character reference. `a < b`, `AT&T` and
 * `List<String>` are plain text.
 */
export function isHtml(text: string): boolean {
  return hasMarkup(text) || decode(text) !== text;
}

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

const names = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Elements that start and end a line in browsers (HTML, section 15.3), and line breaks. */
const lines = names(`
  address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure
  footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main marquee menu nav ol optgroup option p
  plaintext pre search section summary table tbody tfoot thead tr ul xmp`);

/** Elements within a line that separate words. */
const words = names(`
  audio button canvas embed iframe img input object select svg td textarea th video`);

/** Elements whose text is not shown: it is for machines, for other browsers, or a ruby annotation above a word. */
const unseen = names(`
  annotation audio canvas datalist desc iframe metadata noembed noframes noscript object rp rt script style template
  title video`);

/** The other elements that HTML has or had. Like unknown ones, they do not separate words. */
const inline = names(`
  a abbr acronym area b base basefont bdi bdo bgsound big blink cite code col colgroup data del dfn em font frame
  frameset i ins kbd label link map mark math meta meter nobr o:p output param picture progress q rb rtc ruby s samp
  slot small source span strike strong sub sup time track tt u var wbr`);

const elements: ReadonlySet<string> = new Set([...lines, ...words, ...unseen, ...inline]);

const ignore = () => {};

/**
 * The text that browsers show of HTML, with their line breaks, from the tokens of htmlparser2. Its parser is not used: it
 * looks up each end tag among all open elements, which takes quadratic time.
 */
function visibleText(html: string): string {
  let text = '';
  let opened = '';
  /** The hidden element around the current position; empty for none. */
  let hiddenIn = '';
  const add = (more: string) => {
    if (hiddenIn === '') text += more;
  };
  const divide = (name: string) => add(lines.has(name) ? '\n' : words.has(name) ? ' ' : '');
  const tokenizer = new Tokenizer(
    // Not decoding is faster. SVG and XHTML have self-closing tags.
    { decodeEntities: html.includes('&'), recognizeSelfClosing: true },
    {
      ontext: (start, end) => add(html.slice(start, end).replace(/[\t\n\f\r]+/g, ' ')),
      ontextentity: code => add(String.fromCodePoint(code)),
      onopentagname(start, end) {
        opened = html.slice(start, end).toLowerCase();
        divide(opened);
        if (hiddenIn === '' && unseen.has(opened)) hiddenIn = opened;
      },
      onselfclosingtag() {
        if (opened === hiddenIn) hiddenIn = '';
      },
      onclosetag(start, end) {
        const name = html.slice(start, end).toLowerCase();
        if (name === hiddenIn) hiddenIn = '';
        divide(name);
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
