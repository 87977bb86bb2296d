/** Elements that stand inside a word or a line; any other one divides the text before it from the text after it. */
const inline = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup tt u var wbr'.split(
    ' ',
  ),
);
const entities = new Map([
  ['amp', '&'],
  ['lt', '<'],
  ['gt', '>'],
  ['quot', '"'],
  ['apos', "'"],
  ['nbsp', ' '],
]);

// Global for `replace`; to `search` that is the same.
const TAG = /<!--[^<>]*-->|<\/?([a-z][a-z0-9]*)\b[^<>]*>/gi;
const REFERENCE = /&(?:#(\d{1,7})|#x([0-9a-f]{1,6})|([a-z]+));/gi;

/** Whether a text is HTML: it is where it has a tag, a comment or a character reference, and plain text where not. */
export function isHtml(text: string): boolean {
  return text.search(TAG) >= 0 || text.search(REFERENCE) >= 0;
}

/** The text of HTML, or of plain text, in which a `<` that opens no tag is a character like any other. */
export function textOf(html: string): string {
  return html
    .replace(TAG, (_tag, name = '') => (inline.has(name.toLowerCase()) ? '' : '\n'))
    .replace(REFERENCE, (entity, decimal, hex, name) => {
      const code = decimal ? Number(decimal) : Number.parseInt(hex, 16);
      return entities.get(name) ?? (code > 0 && code <= 0x10ffff ? String.fromCodePoint(code) : entity);
    });
}
