/** @import { Health } from '../http/health-schema.ts' */
import { byId, setText, textElement } from './dom.js';
import { formatCount, formatMoment, plural } from './forms.js';
import { renderList } from './render-list.js';

/** @typedef {NonNullable<Health['catalogs']>['files'][number]} CatalogFile */

const version = byId('version', HTMLElement);
const table = byId('files', HTMLElement);
const rows = byId('file-rows', HTMLElement);

/** What divides the cells of a CSV file, in words. @type {Record<string, string>} */
const delimiters = { ',': 'commas', ';': 'semicolons', '\t': 'tabs', '|': 'bars' };

/**
 * Shows which files are served, and since when.
 *
 * @param {Health} health
 */
export function showFiles({ catalogs }) {
  table.hidden = !catalogs;
  if (!catalogs) return setText(version, 'Nothing yet: there are no catalogs that could be served.');
  const total = catalogs.files.reduce((sum, file) => sum + file.rows, 0);
  const since = formatMoment(catalogs.loaded);
  setText(version, `Version ${catalogs.version} since ${since}, ${plural(total, 'row')}.`);
  renderList(rows, catalogs.files, JSON.stringify, rowOf);
}

/** @param {CatalogFile} file */
function rowOf({ file, rows, encoding, delimiter }) {
  const row = document.createElement('tr');
  const name = textElement('th', file);
  name.scope = 'row';
  const count = textElement('td', formatCount(rows));
  count.className = 'number';
  const form = delimiter ? `${encoding}, ${delimiters[delimiter] ?? delimiter}` : encoding;
  row.append(name, count, textElement('td', form));
  return row;
}
