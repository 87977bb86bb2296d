/** @import { Pagination } from '../query/paging.ts' */
import { copyOf, part, setText } from './dom.js';

/**
 * Puts the buttons by which people turn pages into an element.
 *
 * @param {HTMLElement} nav
 * @param {number} limit items on a page
 * @param {(page: number) => void} turnTo
 * @returns {(pagination: Pagination) => void} tells it where the list stands
 */
export function openPager(nav, limit, turnTo) {
  nav.append(copyOf('pager'));
  const [previous, place, next] = ['.previous', 'span', '.next'].map(selector => part(nav, selector));
  if (!previous || !place || !next) throw new Error('the pager lacks a part');
  let page = 1;
  previous.addEventListener('click', () => isOn(previous) && turnTo(page - 1));
  next.addEventListener('click', () => isOn(next) && turnTo(page + 1));
  return ({ current_page, total }) => {
    const last = Math.ceil(total / limit);
    page = current_page;
    nav.hidden = last <= 1 && page === 1;
    setText(place, `Page ${page} of ${last}`);
    // Not `disabled`, which would take the focus away from whoever turns the pages by keyboard.
    previous.ariaDisabled = String(page <= 1);
    next.ariaDisabled = String(page >= last);
  };
}

/** @param {HTMLElement} button */
function isOn(button) {
  return button.ariaDisabled !== 'true';
}
