/** @import { RecommendedConfiguration } from '../../contract/records.ts' */
/** @import { Overview } from '../../contract/overview.ts' */
import { ask } from '../ask.js';
import { attempt } from '../away.js';
import { byId, copyOf, part, setText, textElement } from '../elements/dom.js';
import { formatMemory, formatPrice, plural } from '../elements/format.js';
import { openPager } from '../elements/pager.js';
import { setOptions } from '../elements/picker.js';
import { renderList } from '../elements/render-list.js';

const LIMIT = 12;

const section = byId('configurations', HTMLElement);
const product = byId('product', HTMLSelectElement);
const description = byId('product-description', HTMLElement);
const count = byId('configuration-count', HTMLElement);
const cards = byId('configuration-cards', HTMLElement);
const showPages = openPager(byId('configuration-pages', HTMLElement), LIMIT, page => {
  void attempt(() => showPage(page));
  section.scrollIntoView();
});

/** @type {Overview['products']} */
let products = [];
let page = 1;
/** The number of the latest request; earlier responses are dropped. */
let latest = 0;

product.addEventListener('change', () => void attempt(() => showPage(1)));

/**
 * Shows the products, and the configurations of the selected one.
 *
 * @param {Overview} overview
 */
export async function showConfigurations(overview) {
  section.hidden = false;
  products = overview.products;
  setOptions(
    product,
    products.map(({ id, name }) => ({ value: String(id), text: name })),
  );
  await showPage(page);
}

/** @param {number} wanted */
async function showPage(wanted) {
  latest += 1;
  const request = latest;
  page = wanted;
  const selected = products.find(({ id }) => String(id) === product.value);
  if (!selected) return;
  const { list, pagination } = await ask('api/recommend-config', {
    product_id: String(selected.id),
    page: String(page),
    limit: String(LIMIT),
    include_durations: 'true',
  });
  if (request !== latest) return;
  if (list.length === 0 && page > 1) return showPage(1);
  setText(description, selected.description);
  setText(count, plural(pagination.total, 'configuration'));
  renderList(cards, list, JSON.stringify, cardOf);
  showPages(pagination);
}

/** @param {RecommendedConfiguration} configuration */
function cardOf({ name, cpu, memory, durations = [] }) {
  const copy = copyOf('card');
  setText(part(copy, 'h3'), name);
  setText(part(copy, '.size'), `${plural(cpu, 'CPU')}, ${formatMemory(memory)}`);
  part(copy, '.unpriced').hidden = durations.length > 0;
  part(copy, 'dl').hidden = durations.length === 0;
  for (const { duration_id, name, price } of durations) {
    const pair = document.createElement('div');
    pair.append(textElement('dt', name ?? `Duration ${duration_id}`), textElement('dd', formatPrice(price)));
    part(copy, 'dl').append(pair);
  }
  return part(copy, 'li');
}
