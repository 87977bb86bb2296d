/** @import { Overview } from '../../contract/overview.ts' */
import { byId, setText, textElement } from '../elements/dom.js';
import { renderList } from '../elements/render-list.js';

const feeds = byId('feeds', HTMLElement);
const program = byId('program', HTMLElement);

/**
 * Shows the links to the feeds, and the version of Vitrine.
 *
 * @param {Overview} overview
 */
export function showLinks({ feeds: paths, version }) {
  renderList(feeds, paths, String, path => {
    const link = textElement('a', `Feed (${path.split('.').at(-1)})`);
    link.href = path;
    return link;
  });
  setText(program, `Vitrine ${version}`);
}
