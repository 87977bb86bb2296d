/** Elements that are no text to read. */
const SILENT = /<(script|style|template|title|noscript|iframe|object)\b[\s\S]*?<\/\1\s*>/gi;
const TAG = /<!--[\s\S]*?-->|<\/?([a-z][a-z0-9]*)\b(?:[^<>"']|"[^"]*"|'[^']*')*>/gi;
/** Elements that stand inside a line; any other one ends it. */
const inline = new Set(
  'a abbr b bdi bdo cite code del dfn em font i ins kbd mark q s samp small span strong sub sup tt u var wbr'.split(
    ' ',
  ),
);

/**
 * The paragraphs of a text, or of HTML, as text. No element is made of what may be anything: not even in a document of
 * its own, where nothing runs, but which would fill the console with what it has not run.
 *
 * @param {string} content
 * @returns {string[]}
 */
export function paragraphsOf(content) {
  const lines = content.search(TAG) < 0 ? content.split(/\n\s*\n/) : withoutTags(content).split('\n');
  return lines.map(line => decode(line).trim()).filter(Boolean);
}

/** @param {string} html */
function withoutTags(html) {
  return html
    .replace(SILENT, '')
    .replace(/\s+/g, ' ')
    .replace(TAG, (_tag, name = '') => (inline.has(name.toLowerCase()) ? '' : '\n'));
}

/** Reads the entities of HTML. @param {string} text */
function decode(text) {
  const { body } = new DOMParser().parseFromString(text.replaceAll('<', '&lt;'), 'text/html');
  return body.textContent ?? '';
}
