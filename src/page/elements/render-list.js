/** @type {WeakMap<Element, Map<string, Element>>} */
const shown = new WeakMap();

/**
 * Renders a list of items as the children of an element. A child stays in place as long as an item has its key, so that
 * it keeps its focus, its selection, and whether it is open.
 *
 * @template Item
 * @param {Element} parent
 * @param {readonly Item[]} items
 * @param {(item: Item) => string} keyOf everything that the element depends on
 * @param {(item: Item) => Element} create
 * @returns {Element[]} the children, in the order of the items
 */
export function renderList(parent, items, keyOf, create) {
  const before = shown.get(parent);
  /** @type {Map<string, Element>} */
  const after = new Map();
  const children = items.map(item => {
    const key = keyOf(item);
    const child = (after.has(key) ? undefined : before?.get(key)) ?? create(item);
    after.set(key, child);
    return child;
  });
  shown.set(parent, after);
  const staying = new Set(children);
  for (const child of [...parent.children]) {
    if (!staying.has(child)) child.remove();
  }
  for (const [place, child] of children.entries()) {
    const there = parent.children[place];
    if (there !== child) parent.insertBefore(child, there ?? null);
  }
  return children;
}
