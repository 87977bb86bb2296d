/** @import { Health } from '../../contract/health.ts' */
import { byId, setText, textElement } from '../elements/dom.js';
import { formatCount, formatFile, formatMoment, plural } from '../elements/format.js';
import { renderList } from '../elements/render-list.js';

/** @typedef {NonNullable<Health['catalogs']>['files'][number]} CatalogFile */

const version = byId('version', HTMLElement);
const table = byId('files', HTMLElement);
const rows = byId('file-rows', HTMLElement);

/** The names of CSV delimiters. @type {Record<string, string>} */
const delimiters = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/**
 * Shows the served files, and since when they are served.
 *
 * @param {Health} health
 */
export function showFiles({ catalogs, pinned }) {
  table.hidden = !catalogs;
  if (!catalogs) return setText(version, 'Nothing yet: no catalogs have been loaded.');
  const total = catalogs.files.reduce((sum, file) => sum + file.rows, 0);
  const since = formatMoment(catalogs.loaded);
  const pin = pinned ? ` Pinned since ${formatMoment(pinned.since)}: changed files are not loaded.` : '';
  setText(version, `Version ${catalogs.version} since ${since}, ${plural(total, 'row')}.${pin}`);
  renderList(rows, catalogs.files, JSON.stringify, rowOf);
}

/** @param {CatalogFile} file */
function rowOf({ file, sheet, rows, encoding, delimiter, decimal }) {
  const row = document.createElement('tr');
  const name = textElement('th', formatFile({ file, sheet }));
  name.scope = 'row';
  const count = textElement('td', formatCount(rows));
  count.className = 'number';
  const kind = file.endsWith('.md') ? 'Markdown' : sheet === undefined ? encoding : 'workbook';
  const format = [kind, delimiter && (delimiters[delimiter] ?? delimiter), decimal && 'decimal commas'];
  row.append(name, count, textElement('td', format.filter(Boolean).join(', ')));
  return row;
}
