import { hasMarkup } from '../../contract/html.ts';

// Contents are looked at as texts: parsed, they would have the browser complain of what its policy blocks.

/** Whether a content is HTML, as the service takes it: it has a known tag, a comment or a reference. */
export function isHtml(content: string): boolean {
  if (hasMarkup(content)) return true;
  const candidates = content.match(/&#?\w+;/g) ?? [];
  // What is no reference, or only begins like one as `&notit;` does, still ends in a semicolon.
  const isReference = (text: string) => text === ';' || !text.endsWith(';');
  return candidates.length > 0 && decoded(candidates.join('\n')).split('\n').some(isReference);
}

/** A text with its references decoded. Nothing in it becomes an element. */
function decoded(text: string): string {
  const page = new DOMParser().parseFromString(`.${text.replaceAll('<', '&lt;')}`, 'text/html');
  return page.body.textContent?.slice(1) ?? '';
}

/** More than fit into the lines that are shown: characters of a content, and lines. */
const BEGINNING = 4_000;
const SHOWN_LINES = 4;

/** What nobody sees, and where a browser begins a line. */
const UNSEEN = /<(script|style|template|title|iframe)\b.*?(?:<\/\1|$)|<!--.*?(?:-->|$)/gi;
const LINE = /<(?:\/?(?:p|div|li|h[1-6]|tr|t[dh]|d[dt]|blockquote|pre|section|article)|[bh]r)\b/gi;

/** The first lines of a content as text. */
export function leadOf(content: string): string {
  const beginning = content.slice(0, BEGINNING);
  const lines = isHtml(beginning) ? linesOf(beginning) : beginning.split(/\r?\n\s*\n/);
  const shown = lines.map(line => line.trim()).filter(Boolean);
  return shown.slice(0, SHOWN_LINES).join('\n');
}

function linesOf(html: string): string[] {
  const divided = html.replace(/\s+/g, ' ').replace(UNSEEN, '').replace(LINE, '\n$&');
  return decoded(divided.replace(/<\/?[a-z][^>]*>?/gi, '')).split('\n');
}
