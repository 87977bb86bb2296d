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

/** The names that distinguish tags from other text in angle brackets. */
const elements: ReadonlySet<string> = new Set([...lines, ...words, ...unseen, ...inline]);

type Callbacks = ConstructorParameters<typeof Tokenizer>[1];

/**
 * Collects the text that browsers show of HTML from the tokens of htmlparser2. Its parser is not used: it looks up each
 * end tag among all open elements, which takes quadratic time.
 */
class VisibleText implements Callbacks {
  text = '';
  readonly #html: string;
  /** The last opened element. */
  #opened = '';
  /** The hidden element around the current position; empty for none. */
  #hiddenIn = '';
  /** The position of the last end tag of each element; computed on first use. */
  #lastEnds: Map<string, number> | undefined;

  constructor(html: string) {
    this.#html = html;
  }

  ontext(start: number, end: number): void {
    this.#add(this.#html.slice(start, end).replace(/[\t\n\f\r]+/g, ' '));
  }

  ontextentity(code: number): void {
    this.#add(String.fromCodePoint(code));
  }

  onopentagname(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    this.#opened = name;
    this.#divide(name);
    // Without an end tag, it would hide the rest of the text, and is probably only mentioned.
    if (this.#hiddenIn === '' && unseen.has(name) && this.#lastEndOf(name) > end) this.#hiddenIn = name;
  }

  onselfclosingtag(): void {
    this.#leave(this.#opened);
  }

  onclosetag(start: number, end: number): void {
    const name = this.#html.slice(start, end).toLowerCase();
    this.#leave(name);
    this.#divide(name);
  }

  #leave(name: string): void {
    if (name === this.#hiddenIn) this.#hiddenIn = '';
  }

  #divide(name: string): void {
    if (lines.has(name)) this.#add('\n');
    else if (words.has(name)) this.#add(' ');
  }

  #add(text: string): void {
    if (this.#hiddenIn === '') this.text += text;
  }

  #lastEndOf(name: string): number {
    this.#lastEnds ??= new Map(
      Array.from(this.#html.matchAll(/<\/([a-z]+)/gi), ({ 1: end = '', index }) => [
        end.toLowerCase(),
        index,
      ]),
    );
    return this.#lastEnds.get(name) ?? 0;
  }

  onattribdata(): void {}
  onattribend(): void {}
  onattribentity(): void {}
  onattribname(): void {}
  oncdata(): void {}
  oncomment(): void {}
  ondeclaration(): void {}
  onend(): void {}
  onopentagend(): void {}
  onprocessinginstruction(): void {}
}
