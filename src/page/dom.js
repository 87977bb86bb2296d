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
 * A copy of what is in a template.
 *
 * @param {string} id
 * @returns {DocumentFragment}
 */
export function copyOf(id) {
  return document.importNode(byId(id, HTMLTemplateElement).content, true);
}

/**
 * The part of a copy or an element that a selector finds.
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
 * Sets the text of an element, and touches it only where that is another one, so that nothing is told twice to those
 * who listen.
 *
 * @param {Element} element
 * @param {string} text
 */
export function setText(element, text) {
  if (element.textContent !== text) element.textContent = text;
}

/**
 * An element of this name with a text in it.
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
