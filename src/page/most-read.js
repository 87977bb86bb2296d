/** @import { Overview } from '../http/overview-schema.ts' */
import { byId, copyOf, part, setText } from './dom.js';
import { plural } from './forms.js';
import { renderList } from './render-list.js';

const section = byId('most-read', HTMLElement);
const unread = byId('unread', HTMLElement);
const list = byId('most-read-items', HTMLElement);

/**
 * Shows the most read news as bars, the longest being that of the first.
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
