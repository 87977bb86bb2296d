// What stays of HTML in a Markdown text: its text, and the elements without which that says something else. It follows
// browsers where end tags are missing or wrong (HTML, section 13.2.6), as far as that decides what is shown.

import { Tokenizer } from 'htmlparser2';
import MarkdownIt, { type Token } from 'markdown-it';
import { lineTags, nameSet, wordTags } from '../../contract/html-elements.ts';

/** These stay, without attributes. */
const KEPT = nameSet('br del ins kbd mark s small sub sup');
/** These go with their text, which is for machines or stands in for something else. */
const GONE = nameSet(`
  audio canvas datalist dialog iframe meter noembed noframes noscript object progress script style svg template textarea
  title video`);
/** The text of these is not HTML. */
const RAW = nameSet('iframe noembed noframes noscript script style textarea title');
const VOID = nameSet('area base br col embed hr img input link meta param source track wbr');
/** Elements without end tags, the elements whose start ends them, and those around which it does not. */
const IMPLIED = [
  [nameSet('p'), lineTags, nameSet('button caption object table td template th')],
  [nameSet('li'), nameSet('li'), nameSet('ol ul')],
  [nameSet('dd dt'), nameSet('dd dt'), nameSet('dl')],
  [nameSet('td th'), nameSet('td th tr'), nameSet('table')],
  [nameSet('tr'), nameSet('tr'), nameSet('table')],
] as const;
/** The parts of formulas, which stand apart. */
const SYMBOLS = nameSet('mi mn mo ms mtext');
const HIDING = /display\s*:\s*none|visibility\s*:\s*(?:hidden|collapse)/i;
const COMMENT_END = /(?<=-->)/;
/** How many open elements are searched at most, so that the time is linear. */
const MAX_DEPTH = 300;

const parser = new MarkdownIt();
const { Token: MarkdownToken } = new parser.core.State('', parser, {});
const makeToken = (type: string, nesting: Token['nesting'], more: Partial<Token>): Token =>
  Object.assign(new MarkdownToken(type, 'p', nesting), more);

/** The name of a paragraph of Markdown that a tag has ended already, so that its own end tag ends nothing. */
const ENDED = '';

interface OpenElement {
  name: string;
  isHidden: boolean;
  /** What ends it; undefined if it does not stay. */
  end: Token | undefined;
  /** Whether it is a block of Markdown that stays: a tag ends only what is in it. */
  isBlock: boolean;
  /** Its place among the open elements. */
  index: number;
}

/** The elements that are open at a place of a text, those of Markdown and those of HTML. */
export class OpenElements {
  readonly #open: OpenElement[] = [];
  readonly #ofMarkdown: OpenElement[] = [];
  /** What ends the comment, or the text of an element, that began in earlier HTML. */
  until: RegExp | undefined;

  isHidden(): boolean {
    return this.until !== undefined || this.#open.at(-1)?.isHidden === true;
  }
  /** Whether nothing more stays: it is hidden, or too deep. */
  isFull(): boolean {
    return this.isHidden() || this.#open.length >= MAX_DEPTH;
  }
  push(name: string, hides: boolean, end: Token | undefined, isBlock = false): OpenElement {
    const isHidden = hides || this.#open.at(-1)?.isHidden === true;
    const element = { name, isHidden, end, isBlock, index: this.#open.length };
    this.#open.push(element);
    if (RAW.has(name)) this.until = new RegExp(`</${name}(?=[\\s/>])`, 'i');
    return element;
  }
  /** The start of an element of Markdown; unless it `stays`, only its content does. */
  start(token: Token, stays: boolean): Token[] {
    // The paragraph of an item without a tag.
    if (token.hidden) return this.isHidden() ? [] : [token];
    const ended = this.endImplied(token.tag);
    const isShown = stays && !this.isHidden();
    const end = isShown ? new MarkdownToken(token.type.replace('open', 'close'), token.tag, -1) : undefined;
    this.#ofMarkdown.push(this.push(token.tag, false, end, isShown && token.block));
    return isShown ? [...ended, token] : ended;
  }
  /** The end of the innermost element of Markdown. */
  end(token: Token): Token[] {
    if (token.hidden) return [...this.endStaying(), ...(this.isHidden() ? [] : [token])];
    const element = this.#ofMarkdown.pop();
    if (!element || this.#open[element.index] !== element) return [];
    if (element.name === ENDED && this.isHidden()) {
      Object.assign(element, { isBlock: false, end: undefined });
      return [...this.endStaying(), token];
    }
    if (element.end) element.end = token;
    return this.#endFrom(element.index);
  }
  /** Ends the elements that stay, at the end of their block. */
  endStaying(): Token[] {
    const ends: Token[] = [];
    for (const element of this.#open.slice(0, MAX_DEPTH).reverse()) {
      if (element.isBlock || !element.end) continue;
      ends.push(element.end);
      element.end = undefined;
    }
    return ends;
  }
  #endFrom(index: number): Token[] {
    const ended = this.#open.splice(index).reverse();
    return ended.flatMap(({ end }) => end ?? []);
  }
  /** Ends the innermost element with such a name, and those in it, unless there is a barrier around them. */
  endNearest(searched: ReadonlySet<string>, isBarrier: (name: string) => boolean): Token[] {
    for (const element of this.#open.slice(-MAX_DEPTH).reverse()) {
      const { name, isBlock, index } = element;
      if (searched.has(name)) {
        if (isBlock && name === 'p') element.name = ENDED;
        return this.#endFrom(isBlock ? index + 1 : index);
      }
      if (isBlock || isBarrier(name)) break;
    }
    return [];
  }
  /** Ends what the start of an element ends. */
  endImplied(name: string): Token[] {
    const implied = IMPLIED.filter(([, by]) => by.has(name) && name !== 'br');
    return implied.flatMap(([ended, , around]) => this.endNearest(ended, other => around.has(other)));
  }
}

/** Is called for each tag that is left out, with its offset and whether text goes with it. */
type OnOmitted = (at: number, withText: boolean) => void;

/** What stays of HTML in a line or, as a paragraph, of a block. */
export function readHtml(html: string, isBlock: boolean, elements: OpenElements, omit: OnOmitted): Token[] {
  const begin = elements.until ? elements.until.exec(html)?.index : 0;
  if (begin === undefined) return [];
  elements.until = undefined;
  const rest = collectRest(elements, (at, withText) => omit(begin + at, withText));
  readTags(html.slice(begin), elements, rest);
  return isBlock ? paragraphOf([...rest.tokens, ...elements.endStaying()]) : rest.tokens;
}

/** Collects what stays of texts, and of the starts and ends of elements. */
function collectRest(elements: OpenElements, onOmitted: OnOmitted) {
  const tokens: Token[] = [];
  const omit: OnOmitted = (at, withText) => {
    if (!elements.isHidden()) onOmitted(at, withText);
  };
  const add = (text: string) => {
    const last = tokens.at(-1);
    if (elements.isHidden()) return;
    if (last?.type === 'text') last.content += text;
    else tokens.push(makeToken('text', 0, { content: text }));
  };
  const divide = (name: string) => {
    if (name !== 'br' && (lineTags.has(name) || wordTags.has(name) || SYMBOLS.has(name))) add(' ');
  };
  return {
    tokens,
    omit,
    add,
    start(name: string, at: number, hides: boolean) {
      const isVoid = VOID.has(name);
      const stays = KEPT.has(name) && !hides && !elements.isFull();
      if (!stays) omit(at, hides && !isVoid);
      divide(name);
      tokens.push(...elements.endImplied(name));
      if (stays) tokens.push(makeToken('html_inline', 0, { content: isVoid ? '<br />' : `<${name}>` }));
      const end = stays ? makeToken('html_inline', 0, { content: `</${name}>` }) : undefined;
      if (!isVoid) elements.push(name, hides, end);
    },
    end(name: string) {
      const isBarrier = (other: string) => lineTags.has(other) && !lineTags.has(name) && !GONE.has(name);
      tokens.push(...elements.endNearest(new Set([name]), isBarrier));
      divide(name);
    },
  };
}

function readTags(html: string, elements: OpenElements, rest: ReturnType<typeof collectRest>): void {
  let [name, attribute, value] = ['', '', ''];
  let [at, hides, isWhole, isEnd] = [0, false, true, false];
  const leaveOut = (from: number) => rest.omit(from - 2, true);
  const start = () => {
    isWhole = true;
    rest.start(name, at, hides);
  };
  const tokenizer = new Tokenizer(
    { decodeEntities: true, recognizeSelfClosing: true },
    {
      ontext: (from, to) => rest.add(html.slice(from, to).replace(/[ \t\n\f\r]+/g, ' ')),
      ontextentity: code => rest.add(String.fromCodePoint(code)),
      onopentagname(from, to) {
        [name, at, isWhole] = [html.slice(from, to).toLowerCase(), from - 1, false];
        hides = GONE.has(name);
      },
      onattribname(from, to) {
        [attribute, value] = [html.slice(from, to).toLowerCase(), ''];
        if (attribute === 'hidden') hides = true;
        else if (attribute === 'open' && name === 'dialog') hides = false;
      },
      onattribdata: (from, to) => (value += html.slice(from, to)),
      onattribentity: code => (value += String.fromCodePoint(code)),
      onattribend: () => (hides ||= attribute === 'style' && HIDING.test(value)),
      onopentagend: start,
      onselfclosingtag() {
        start();
        if (name === 'svg') rest.end(name);
      },
      onclosetag(from, to) {
        [name, at, hides] = [html.slice(from, to).toLowerCase(), from - 2, false];
        if (RAW.has(name)) elements.until = undefined;
        // Browsers take it for a start tag.
        if (name === 'br') start();
        else rest.end(name);
      },
      oncomment(from) {
        if (!isEnd) return;
        leaveOut(from - 2);
        elements.until = COMMENT_END;
      },
      ...{ oncdata: leaveOut, ondeclaration: leaveOut, onprocessinginstruction: leaveOut, onend() {} },
    },
  );
  tokenizer.write(html);
  isEnd = true;
  tokenizer.end();
  if (!isWhole) leaveOut(at + 2);
}

/** Empty without any text. */
function paragraphOf(left: readonly Token[]): Token[] {
  if (left.every(({ type, content }) => type !== 'text' || content.trim() === '')) return [];
  for (const [index, token] of left.entries()) {
    token.content = token.content.replace(/ {2,}/g, ' ');
    if (index === 0) token.content = token.content.trimStart();
    if (index === left.length - 1) token.content = token.content.trimEnd();
  }
  return [
    makeToken('paragraph_open', 1, { block: true }),
    makeToken('inline', 0, { block: true, children: [...left] }),
    makeToken('paragraph_close', -1, { block: true }),
  ];
}
