import MarkdownIt, { type Env, type Token } from 'markdown-it';
import { MAX_TEXT_LENGTH } from '../../contract/columns.ts';
import { OpenElements, readHtml } from './html.ts';

/** Something in a text, and its line in the text, from 0. */
export interface Finding {
  line: number;
  /** How it is written: a tag, an address or the name of a file. */
  what: string;
}

/** A Markdown text as HTML. */
export interface Rendered {
  html: string;
  /** HTML that is left out: each with whether its text goes with it. */
  omittedHtml: (Finding & { withText: boolean })[];
  /** Whether that leaves neither text nor an image, or nothing was there. */
  isEmpty: boolean;
  /** Links and images that are left out, because their addresses are unsafe. Their texts stay. */
  omittedLinks: Finding[];
  /** The files of the images directory that it shows. */
  images: Finding[];
  /** What means nothing in Markdown, and is shown as it is: each with why. */
  foreign: (Finding & { fate: string })[];
}

/** The text becomes too long as HTML, such as by references to long addresses. */
export class TooLong extends Error {}

/**
 * Renders a text. Leaves out unsafe links and, unless `allowsHtml`, all HTML. Relative images become those of
 * `/images/`. @throws TooLong if the HTML has more than 1,000,000 characters.
 */
export function render(text: string, allowsHtml: boolean): Rendered {
  /** The addresses of references. */
  const env: Env = {};
  const tokens = markdown.parse(text, env);
  if (attributesLength(tokens) > MAX_TEXT_LENGTH) throw new TooLong();
  const findings = { omittedHtml: [], omittedLinks: [], images: [], foreign: [] };
  const found: Rendered = { html: '', isEmpty: false, ...findings };
  const elements = new OpenElements();
  /** The tokens that are rendered, and what is found on the way. `first` is the line of the first token. */
  const rewrite = (tokens: Token[], first: number): Token[] => {
    let line = first;
    return tokens.flatMap((token, index) => {
      const { type, content, nesting } = token;
      if (token.map) line = first + token.map[0];
      if (type === 'softbreak' || type === 'hardbreak') line += 1;
      if (type === 'html_block' || type === 'html_inline') {
        if (allowsHtml) return [token];
        const text = elements.until ? undefined : withoutComments(content);
        if (text !== undefined) return rewrite(markdown.parse(text, env), line);
        return readHtml(content, type === 'html_block', elements, (at, withText) => {
          const linesBefore = content.slice(0, at).split('\n').length - 1;
          found.omittedHtml.push({ line: line + linesBefore, what: content.slice(at), withText });
        });
      }
      if (nesting < 0) return elements.end(token);
      if (nesting > 0) {
        const stays = type !== 'link_open' || checkLink(token, tokens[index + 1], line, found);
        return elements.start(token, stays);
      }
      if (token.children && type !== 'image') token.children = rewrite(token.children, line);
      else if (elements.isHidden()) return [];
      if (type === 'image') rewriteImage(token, line, found);
      if (type === 'text') {
        const isFirst = index === 0 || /break$/.test(tokens[index - 1]?.type ?? '');
        found.foreign.push(...foreignIn(content, isFirst).map(sign => ({ ...sign, line })));
      }
      return [token];
    });
  };
  const stays = rewrite(tokens, 0);
  found.html = markdown.renderer.render(stays, markdown.options, {}).trimEnd();
  if (found.html.length > MAX_TEXT_LENGTH) throw new TooLong();
  const shows = /<img|[^\s<>]/.test(found.html.replace(/<(?!img)[^>]*>/g, ''));
  found.isEmpty = found.html === '' || (found.omittedHtml.length > 0 && !shows);
  return found;
}

/** A tag, and no address in angle brackets. */
const TAG = /<\/?[a-z][\w-]*[\s/>]/i;

/**
 * The Markdown in HTML that begins with a comment, which makes HTML of its whole last line (CommonMark 0.31, 4.6). Undefined if
 * it does not, if there are tags, too, or if a comment has no end.
 */
function withoutComments(html: string): string | undefined {
  const [start, ...rest] = html.split('<!--');
  if (start?.trim() !== '') return undefined;
  let isOpen = true;
  const texts = rest.map(part => {
    const end = /^-?>|-->/.exec(part);
    isOpen = !end;
    const [at, length] = end ? [end.index, end[0].length] : [part.length, 0];
    return part.slice(0, at).replace(/[^\n]+/g, '') + part.slice(at + length);
  });
  const text = texts.join('');
  // Without indentation, which would make code of it.
  return isOpen || TAG.test(text) ? undefined : text.replace(/^[ \t]+/gm, '');
}

/** Whether a link is safe. */
function checkLink(link: Token, next: Token | undefined, line: number, found: Rendered): boolean {
  const address = String(link.attrGet('href'));
  const label = next?.content ?? '';
  if (/^\^\S+$/.test(label)) found.foreign.push({ line, what: `[${label}]`, fate: AS_IT_IS });
  else if (/^(?![a-z][a-z\d+.-]*:|\/\/)[^?#]*\.(?:md|markdown)(?:[?#]|$)/i.test(address))
    found.foreign.push({ line, what: address, fate: NO_PAGE });
  if (!isUnsafe(address)) return true;
  found.omittedLinks.push({ line, what: address });
  return false;
}

const NO_PAGE = 'is a file, and no page of the site: link to the page of the item';
const AS_IT_IS = 'is a sign of another program, and is shown as it is: write it as Markdown, or delete it';
const TEMPLATE_SIGNS =
  /\{%(?:(?!\{%).)*?%\}|\{\{(?:(?!\{\{).)*?\}\}|!?\[\[[^[\]]+\]\]|\[\^[^\s[\]]+\]|(?<![\w:]):(?:smile|grin|joy|wink|heart|tada|rocket|fire|thumbsup|\+1|warning|bulb|star|sparkles|white_check_mark|x|info|information_source|point_right|boom|bug|lock|eyes|wave|pray|clap):(?![\w:])/g;
const AT_START = /^(?::::.*|\[!(?:NOTE|TIP|IMPORTANT|WARNING|CAUTION|INFO)\])/i;

/** A link or an image whose address has a space, and may have brackets. */
const SPACED = /!?\[[^[\]]*\]\((?=(?:[^()]|\([^()]*\))*[./])[^()\s]+[ \t](?:[^()]|\([^()]*\))*\)/g;

/** The signs of other programs in a text that is no code, and links that are none. */
function foreignIn(text: string, isFirst: boolean): { what: string; fate: string }[] {
  const [start] = (isFirst && AT_START.exec(text)) || [];
  const [comment] = /%%\s*(?!%%|\s)(?:(?!%%).)+%%/.exec(text) ?? [];
  return [
    ...[start ?? [], text.match(TEMPLATE_SIGNS) ?? []].flat().map(what => ({ what, fate: AS_IT_IS })),
    ...(text.match(SPACED) ?? []).map(what => ({
      what,
      fate: 'is shown as it is, since its address has a space: write %20 for it, or the address in <angle brackets>',
    })),
    ...(comment === undefined
      ? []
      : [{ what: comment, fate: 'is a comment of another program, and is public here: delete it' }]),
  ];
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

/** Where relative addresses are resolved. */
const BASE = 'http://base.invalid/news/';

/** Addresses that can run a program, or bring a page along: those that the CommonMark reference implementation leaves out. */
const UNSAFE_SCHEMES: ReadonlySet<string> = new Set(['javascript:', 'vbscript:', 'data:', 'file:']);

/** Whether nobody should follow a link. Reads the address as browsers do (WHATWG URL), which ignore tabs in a scheme. */
export function isUnsafe(address: string): boolean {
  return UNSAFE_SCHEMES.has(resolve(address)?.protocol ?? '');
}

/**
 * The file in the images directory that an image means, whatever folder it is in where the text was written; undefined if it
 * is on another server, or elsewhere on this one.
 */
export function imageFile(address: string): string | undefined {
  const url = resolve(address);
  if (url?.origin !== new URL(BASE).origin) return undefined;
  const { pathname } = url;
  if (address.startsWith('/') && !/^\/images\/[^/]*$/.test(pathname)) return undefined;
  return decoded(pathname.slice(pathname.lastIndexOf('/') + 1)) || undefined;
}

function resolve(address: string): URL | undefined {
  return URL.canParse(address, BASE) ? new URL(address, BASE) : undefined;
}

/** A name that is not valid UTF-8 matches no file. */
function decoded(name: string): string {
  try {
    return decodeURIComponent(name);
  } catch {
    return name;
  }
}

/** The first heading of a text that is not inside a quote or a list, and not empty. */
export function firstHeading(text: string) {
  const tokens: Token[] = [];
  // Without the inline parser, which takes most of the time.
  markdown.block.parse(text.replace(/\r\n?/g, '\n'), markdown, {}, tokens);
  for (const [index, { type, level, map }] of tokens.entries()) {
    if (type !== 'heading_open' || level > 0 || !map) continue;
    const inline = markdown.parseInline(tokens[index + 1]?.content ?? '', {});
    const title = plainText(inline).replace(/\s+/g, ' ').trim();
    if (title !== '') return { title, lines: map };
  }
  return undefined;
}

/**
 * CommonMark 0.31 with tables, strikethrough and task lists of GitHub, as XHTML like the examples of its specification. A
 * single tilde strikes nothing: "~5 GB" means about.
 */
const markdown = new MarkdownIt('commonmark', { html: true, xhtmlOut: true, maxNesting: 100 });
markdown.enable(['table', 'strikethrough']);
markdown.renderer.rules.s_open = () => '<del>';
markdown.renderer.rules.s_close = () => '</del>';
// Three or more tildes strike nothing either (GFM 0.29, 6.5).
markdown.inline.ruler.before('strikethrough', 'tildes', (state, silent) => {
  let end = state.pos;
  while (state.src[end] === '~') end += 1;
  const isRun = end - state.pos > 2;
  if (isRun && !silent) state.pending += state.src.slice(state.pos, end);
  if (isRun) state.pos = end;
  return isRun;
});
// A box at the beginning of an item (GFM 0.29, 5.3).
markdown.core.ruler.push('task_list', ({ tokens, Token }) => {
  for (const [index, { type, children }] of tokens.entries()) {
    const text = children?.[0];
    const [box] = /^\[[ xX]\](?=\s)/.exec(text?.type === 'text' ? text.content : '') ?? [];
    const isItem =
      tokens[index - 1]?.type === 'paragraph_open' && tokens[index - 2]?.type === 'list_item_open';
    if (type !== 'inline' || !text || box === undefined || !isItem) continue;
    text.content = text.content.slice(box.length);
    const input = new Token('task_box', 'input', 0);
    const checked: [string, string][] = box === '[ ]' ? [] : [['checked', '']];
    input.attrs = [...checked, ['disabled', ''], ['type', 'checkbox']];
    children?.unshift(input);
  }
});
// An unsafe link is recognized, so that it can be reported.
markdown.validateLink = () => true;
// As in the specification, an empty quote has a line break.
markdown.renderer.rules.blockquote_open = (tokens, index, options, _env, renderer) =>
  `${renderer.renderToken(tokens, index, options).trimEnd()}\n`;

/** The text of inline tokens, without HTML. */
function plainText(tokens: readonly Token[]): string {
  return tokens
    .map(({ type, content, children }) => {
      if (type === 'softbreak' || type === 'hardbreak') return ' ';
      if (type === 'html_inline') return '';
      return children ? plainText(children) : content;
    })
    .join('');
}
