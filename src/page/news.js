/** @import { NewsCard, Overview } from '../http/overview-schema.ts' */

import { articleOf } from './article.js';
import { ask } from './ask.js';
import { attempt } from './away.js';
import { byId, part, setText } from './dom.js';
import { plural } from './forms.js';
import { openPager } from './pager.js';
import { setOptions } from './picker.js';
import { renderList } from './render-list.js';

const LIMIT = 10;
/** How long typing has to rest before it is searched, in milliseconds. */
const REST_MS = 250;

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
/** Answers that have been overtaken are not shown. */
let asked = 0;
let rest = 0;

const showFirst = () => {
  window.clearTimeout(rest);
  void attempt(() => showPage(1));
};
keyword.addEventListener('input', () => {
  window.clearTimeout(rest);
  rest = window.setTimeout(showFirst, REST_MS);
});
type.addEventListener('change', showFirst);
form.addEventListener('submit', event => {
  event.preventDefault();
  showFirst();
});

/**
 * Shows the categories, and the news that are searched for.
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
  asked += 1;
  const question = asked;
  page = wanted;
  const { list, pagination } = await ask('overview/news', {
    page: String(page),
    limit: String(LIMIT),
    keyword: keyword.value,
    type_id: type.value,
  });
  if (question !== asked) return;
  if (list.length === 0 && page > 1) return showPage(1);
  setText(count, pagination.total === 0 ? 'No news' : plural(pagination.total, 'item'));
  const articles = renderList(items, list, keyOf, item => articleOf(item, names.get(item.type_id ?? 0)));
  for (const [place, article] of articles.entries()) {
    setText(part(article, '.read'), plural(list[place]?.read ?? 0, 'read'));
  }
  showPages(pagination);
}

/** An article stays while only its read count changes. @param {NewsCard} item */
function keyOf({ read, ...item }) {
  return JSON.stringify([item, names.get(item.type_id ?? 0)]);
}
