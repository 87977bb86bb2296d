/** @import { Overview } from '../../contract/overview.ts' */
import { byId, copyOf, part, setText } from '../elements/dom.js';
import { plural } from '../elements/format.js';
import { renderList } from '../elements/render-list.js';

const section = byId('most-read', HTMLElement);
const unread = byId('unread', HTMLElement);
const list = byId('most-read-items', HTMLElement);

/**
 * Shows the most read news items, with bars relative to the first.
 *
 * @param {Overview} overview
 */
export function showMostRead({ most_read: news }) {
  section.hidden = false;
  unread.hidden = news.length > 0;
  const items = renderList(
    list,
    news,
    ({ id, title }) => `${id} ${title}`,
    ({ title }) => {
      const copy = copyOf('ranked');
      setText(part(copy, '.title'), title);
      return part(copy, 'li');
    },
  );
  const most = news[0]?.read ?? 1;
  for (const [place, item] of items.entries()) {
    const read = news[place]?.read ?? 0;
    setText(part(item, '.read'), plural(read, 'read'));
    part(item, '.bar').style.setProperty('--share', String(read / most));
  }
}
