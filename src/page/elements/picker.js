import { textElement } from './dom.js';
import { renderList } from './render-list.js';

/**
 * Sets the options of a select. The selected value stays if it is still among them.
 *
 * @param {HTMLSelectElement} select
 * @param {readonly { value: string, text: string }[]} options
 */
export function setOptions(select, options) {
  const chosen = select.value;
  renderList(select, options, JSON.stringify, ({ value, text }) => {
    const option = textElement('option', text);
    option.value = value;
    return option;
  });
  if (options.some(({ value }) => value === chosen)) select.value = chosen;
}
