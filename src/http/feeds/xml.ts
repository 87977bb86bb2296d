/** Markup that is whole: what had to be escaped in it is. */
export interface Markup {
  markup: string;
}

/** Markup with holes in it. Texts in the holes are escaped, markup stands there as it is. */
export function xml(
  strings: TemplateStringsArray,
  ...holes: readonly (string | Markup | readonly Markup[])[]
): Markup {
  return { markup: String.raw({ raw: strings }, ...holes.map(fill)) };
}

function fill(hole: string | Markup | readonly Markup[]): string {
  if (typeof hole === 'string') return escapeText(hole);
  return [hole]
    .flat()
    .map(({ markup }) => markup)
    .join('');
}

/**
 * A text as it stands in XML or HTML. Signs are escaped by their numbers, which most readers get right in titles of RSS
 * (RSS Best Practices Profile, "Character Data").
 */
export function escapeText(text: string): string {
  return text.replace(/[&<>"]/g, sign => `&#x${sign.charCodeAt(0).toString(16).toUpperCase()};`);
}

/** A text without the characters that no XML document may contain, not even escaped (XML 1.0, section 2.2). */
export function withoutForbidden(text: string): string {
  return text.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '');
}
