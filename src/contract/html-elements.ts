// Which texts are HTML, for the service and the page alike.

export const nameSet = (list: string): ReadonlySet<string> => new Set(list.trim().split(/\s+/));

/** Elements that start and end a line in browsers (HTML, section 15.3), and line breaks. */
export const lineTags = nameSet(`
  address article aside blockquote body br caption center dd details dialog dir div dl dt fieldset figcaption figure
  footer form h1 h2 h3 h4 h5 h6 head header hgroup hr html legend li listing main marquee menu nav ol optgroup option p
  plaintext pre search section summary table tbody tfoot thead tr ul xmp`);

/** Elements within a line that separate words. */
export const wordTags = nameSet(`
  audio button canvas embed iframe img input object select svg td textarea th video`);

/** Elements without visible text: it is for machines, for other browsers, or an annotation above a word. */
export const unseenTags = nameSet(`
  annotation audio canvas datalist desc iframe metadata noembed noframes noscript object rp rt script style template
  title video`);

/** All other elements of HTML, also obsolete ones. Like unknown elements, they do not separate words. */
const inline = nameSet(`
  a abbr acronym area b base basefont bdi bdo bgsound big blink cite code col colgroup data del dfn em font frame
  frameset i ins kbd label link map mark math meta meter nobr o:p output param picture progress q rb rtc ruby s samp
  slot small source span strike strong sub sup time track tt u var wbr`);

const elements: ReadonlySet<string> = new Set([...lineTags, ...wordTags, ...unseenTags, ...inline]);

/** What a tag becomes in a text; the name is in lower case. */
export function separatorOf(element: string): '\n' | ' ' | '' {
  return lineTags.has(element) ? '\n' : wordTags.has(element) ? ' ' : '';
}

/** A comment, doctype or CDATA section, or a possible tag with its name; none extends past the next `<`. */
const MARKUP = /<(?:!--|!doctype\b|!\[CDATA\[|\/?([a-z][^\s<>/]*)(?:[\s/][^<>]*)?>)/gi;

/** Whether a text has a tag of a known element, a comment, doctype or CDATA section. `List<String>` has none. */
export function hasMarkup(text: string): boolean {
  if (!text.includes('<')) return false;
  for (const [, name] of text.matchAll(MARKUP)) {
    if (name === undefined || elements.has(name.toLowerCase())) return true;
  }
  return false;
}
