/** @import { NewsCard, Overview } from '../../contract/overview.ts' */

import { ask } from '../ask.js';
import { attempt } from '../away.js';
import { articleOf } from '../elements/article.js';
import { byId, part, setText } from '../elements/dom.js';
import { plural } from '../elements/format.js';
import { openPager } from '../elements/pager.js';
import { setOptions } from '../elements/picker.js';
import { renderList } from '../elements/render-list.js';

const LIMIT = 10;
/** Search starts this many milliseconds after the last keystroke. */
const DEBOUNCE_MS = 250;

const section = byId('news', HTMLElement);
const form = byId('search', HTMLFormElement);
const keyword = byId('keyword', HTMLInputElement);
const category = byId('category', HTMLElement);
const type = byId('type', HTMLSelectElement);
const count = byId('news-count', HTMLElement);
const items = byId('news-items', HTMLElement);
const showPages = openPager(byId('news-pages', HTMLElement), LIMIT, page => {
  void attempt(() => showPage(page));
  section.scrollIntoView();
});

/** The names of the categories. @type {Map<number, string>} */
let names = new Map();
let page = 1;
/** The number of the latest request; earlier responses are dropped. */
let latest = 0;
let debounce = 0;

const showFirst = () => {
  window.clearTimeout(debounce);
  void attempt(() => showPage(1));
};
keyword.addEventListener('input', () => {
  window.clearTimeout(debounce);
  debounce = window.setTimeout(showFirst, DEBOUNCE_MS);
});
type.addEventListener('change', showFirst);
form.addEventListener('submit', event => {
  event.preventDefault();
  showFirst();
});

/**
 * Shows the categories, and the news that matches the search.
 *
 * @param {Overview} overview
 */
export async function showNews({ news_types }) {
  section.hidden = false;
  names = new Map(news_types.map(({ id, name }) => [id, name]));
  category.hidden = news_types.length === 0;
  setOptions(type, [
    { value: '', text: 'All' },
    ...news_types.map(({ id, name }) => ({ value: String(id), text: name })),
  ]);
  await showPage(page);
}

/** @param {number} wanted */
async function showPage(wanted) {
  latest += 1;
  const request = latest;
  page = wanted;
  const { list, pagination } = await ask('overview/news', {
    page: String(page),
    limit: String(LIMIT),
    keyword: keyword.value,
    type_id: type.value,
  });
  if (request !== latest) return;
  if (list.length === 0 && page > 1) return showPage(1);
  setText(count, pagination.total === 0 ? 'No news' : plural(pagination.total, 'item'));
  const articles = renderList(items, list, keyOf, item => articleOf(item, names.get(item.type_id ?? 0)));
  for (const [place, article] of articles.entries()) {
    setText(part(article, '.read'), plural(list[place]?.read ?? 0, 'read'));
  }
  showPages(pagination);
}

/** Leaves out the read count, so that its changes keep the article. @param {NewsCard} item */
function keyOf({ read, ...item }) {
  return JSON.stringify([item, names.get(item.type_id ?? 0)]);
}
