/** Well-formed markup: its texts are escaped. */
interface Markup {
  markup: string;
}

type Hole = string | Markup | readonly Markup[] | undefined;

/** A template for markup. It escapes strings, inserts markup unchanged, and leaves out undefined. */
export function xml(strings: TemplateStringsArray, ...holes: readonly Hole[]): Markup {
  return { markup: String.raw({ raw: strings }, ...holes.map(fill)) };
}

function fill(hole: Hole): string {
  if (hole === undefined) return '';
  if (typeof hole === 'string') return escapeText(hole);
  return [hole]
    .flat()
    .map(({ markup }) => markup)
    .join('');
}

/**
 * Escapes a text for XML or HTML. It uses numeric references, which most readers handle best in RSS titles (RSS Best
 * Practices Profile, "Character Data").
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, sign => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`);
}

/** Removes the characters that XML forbids even as references (XML 1.0, section 2.2). */
export function withoutForbidden(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}
