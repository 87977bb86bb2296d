/** @import { Overview } from '../http/overview-schema.ts' */
import { byId, setText, textElement } from './dom.js';
import { renderList } from './render-list.js';

const feeds = byId('feeds', HTMLElement);
const program = byId('program', HTMLElement);

/**
 * Shows where else to go, and what program this is.
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
