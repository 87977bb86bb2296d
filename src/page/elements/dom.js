/**
 * The element with this id.
 *
 * @template {HTMLElement} Kind
 * @param {string} id
 * @param {new () => Kind} kind
 * @returns {Kind}
 */
export function byId(id, kind) {
  const found = document.getElementById(id);
  if (found instanceof kind) return found;
  throw new Error(`the page has no such #${id}`);
}

/**
 * A copy of the content of a template.
 *
 * @param {string} id
 * @returns {DocumentFragment}
 */
export function copyOf(id) {
  return document.importNode(byId(id, HTMLTemplateElement).content, true);
}

/**
 * The first element that a selector finds in another element or a copy.
 *
 * @template {HTMLElement} [Kind=HTMLElement]
 * @param {ParentNode} whole
 * @param {string} selector
 * @param {new () => Kind} [kind]
 * @returns {Kind}
 */
export function part(whole, selector, kind) {
  const found = whole.querySelector(selector);
  if (found instanceof (kind ?? HTMLElement)) return /** @type {Kind} */ (found);
  throw new Error(`there is no ${selector}`);
}

/**
 * Sets the text of an element, but only if it changes, so that screen readers do not announce it twice.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * A new element that contains a text.
 *
 * @template {keyof HTMLElementTagNameMap} Name
 * @param {Name} name
 * @param {string} text
 * @returns {HTMLElementTagNameMap[Name]}
 */
export function textElement(name, text) {
  const element = document.createElement(name);
  element.textContent = text;
  return element;
}
