/** @import { Pagination } from '../../contract/envelope.ts' */
import { copyOf, part, setText } from './dom.js';

/**
 * Adds the buttons of a paged list to an element.
 *
 * @param {HTMLElement} nav
 * @param {number} limit items on a page
 * @param {(page: number) => void} goTo
 * @returns {(pagination: Pagination) => void} updates the buttons
 */
export function openPager(nav, limit, goTo) {
  nav.append(copyOf('pager'));
  const [previous, place, next] = ['.previous', 'span', '.next'].map(selector => part(nav, selector));
  if (!previous || !place || !next) throw new Error('the pager template is incomplete');
  let page = 1;
  previous.addEventListener('click', () => isOn(previous) && goTo(page - 1));
  next.addEventListener('click', () => isOn(next) && goTo(page + 1));
  return ({ current_page, total }) => {
    const last = Math.ceil(total / limit);
    page = current_page;
    nav.hidden = last <= 1 && page === 1;
    setText(place, `Page ${page} of ${last}`);
    // Not `disabled`, which would drop the keyboard focus.
    previous.ariaDisabled = String(page <= 1);
    next.ariaDisabled = String(page >= last);
  };
}

/** @param {HTMLElement} button */
function isOn(button) {
  return button.ariaDisabled !== 'true';
}
