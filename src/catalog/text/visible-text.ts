import type { Tokenizer } from 'htmlparser2';
import { lines, unseen, words } from './html-elements.ts';

type Callbacks = ConstructorParameters<typeof Tokenizer>[1];

/**
 * Collects the text that browsers show of HTML from the tokens of htmlparser2. Its parser is not used: it looks up each
 * end tag among all open elements, which takes quadratic time.
 */
export class VisibleText implements Callbacks {
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
    // Without an end tag, this would hide the rest of the text: then it is probably only mentioned.
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
