/** @import { Health } from '../../contract/health.ts' */
import { byId, textElement } from '../elements/dom.js';
import { renderList } from '../elements/render-list.js';

const list = byId('reasons', HTMLElement);

/**
 * Shows why a set is held back, and why the service is degraded.
 *
 * @param {Health} health
 */
export function showReasons({ held, reasons }) {
  // What would happen comes first. It may begin with the name of a file.
  const holds = (held?.reasons ?? []).map(({ message }) => ({ message, className: 'as-is' }));
  const why = [...holds, ...reasons.map(message => ({ message, className: '' }))];
  renderList(list, why, JSON.stringify, ({ message, className }) =>
    Object.assign(textElement('li', message), { className }),
  );
  list.hidden = why.length === 0;
}
