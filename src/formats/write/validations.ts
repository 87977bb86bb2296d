import {
  type CatalogName,
  type CellType,
  type Column,
  contentFormats,
  type catalogs as contract,
  durationUnits,
} from '../../contract/columns.ts';
import { columnLetters, MAX_ROWS } from '../table.ts';
import type { WrittenCatalog } from './written-catalog.ts';

/** What to write into each column, in the words of the editors' guide. Excel shows at most 255 characters. */
const prompts: {
  [Name in CatalogName]: Record<Exclude<keyof (typeof contract)[Name]['row']['properties'], 'id'>, string>;
} = {
  products: {
    name: 'text',
    description: 'text',
    hidden: 'true hides the product and all that belongs to it',
  },
  configurations: {
    product_id: 'the id or the name of a product',
    name: 'text',
    cpu: 'a number, fractions allowed; 0 if it has none',
    memory: 'a number, fractions allowed, in MB; 0 if it has none',
    order: 'a whole number: smaller comes first; 0 if empty',
    hidden: 'true hides the row and its prices',
  },
  durations: {
    name: 'text such as 3 months',
    num: 'a whole number from 1, such as 3',
    unit: 'hour, day, week, month or year, also in plural',
    hidden: 'true hides the row and its prices',
  },
  prices: {
    product_id: 'the id or the name of a product',
    rel_id: 'the id of a configuration of this product, alone or before its name, as in 12 Small',
    duration_id: 'the id or the name of a duration',
    price:
      'such as 12.50: at most 8 digits after the point, 15 in all; one for each product, configuration, duration and date',
    rel_type: '1 if empty. Rows with another value are left out with a warning',
    valid_from: 'a time: from then on, this price replaces the one before; from the beginning if empty',
    hidden: 'true hides the price, from valid_from on',
  },
  news_types: { name: 'text' },
  news: {
    type_id: 'the id or the name of a news type',
    title: 'text',
    content: 'text, which may be HTML',
    content_format: 'html, text or markdown: how content is written. If empty, content is served unchanged',
    keywords: 'text: terms separated by commas; in JSON also a list of texts',
    img: 'the name of a file in the images folder: png, jpg, jpeg, webp, gif, avif or svg; of a path, the last part',
    read: 'the read count to start from',
    create_time: 'a time, such as 2026-03-31 18:00',
    update_time: 'a time; create_time if empty',
    publish_time: 'a time: when the item appears by itself',
    unpublish_time: 'a time after publish_time: when the item disappears by itself; never if empty',
    hidden: 'true hides the item',
  },
};

export function promptOf(catalog: CatalogName, { name, required }: Column): string {
  const texts: Readonly<Record<string, string>> = {
    [name]: 'text; an own field, which every visitor can see',
    id: 'a whole number from 1, unique in the file',
    ...prompts[catalog],
  };
  return `${required ? 'required; ' : ''}${texts[name]}`;
}

/** Returns the rule and the prompt of each column of a catalog. `catalogs` are those that have a sheet. */
export function validationsOf({ catalog, columns }: WrittenCatalog, catalogs: readonly WrittenCatalog[]) {
  return columns.map((column, index) => {
    const letter = columnLetters(index);
    const cells = `${letter}2:${letter}${MAX_ROWS}`;
    return { ...ruleOf(column, catalogs), title: column.name, prompt: promptOf(catalog, column), cells };
  });
}

/** The values of cell types that have few, and the kind of number in others. */
const LISTS: Partial<Record<CellType, readonly string[]>> = {
  unit: durationUnits,
  contentFormat: contentFormats,
  flag: ['TRUE', 'FALSE'],
};
const NUMBER_RULES: Partial<Record<CellType, 'whole' | 'decimal' | 'date'>> = {
  ...{ id: 'whole', count: 'whole', reads: 'whole', size: 'decimal', price: 'decimal' },
  ...{ time: 'date', timeOrZero: 'date' },
};

/** Says what the cells of a column accept without a warning. `rule` is XML attributes that need no escaping. */
function ruleOf({ schema }: Column, catalogs: readonly WrittenCatalog[]) {
  const { cellType = 'text', references, choices, minimum = 0 } = schema;
  const target = catalogs.find(({ catalog }) => catalog === (references ?? choices));
  // The list offers rows, but ids are accepted as well.
  if (target) return { rule: 'type="list"', formula: listOf(target, choices ? 'id' : 'name') };
  const list = LISTS[cellType];
  if (list) return { rule: 'type="list" showErrorMessage="1"', formula: `"${list.join(',')}"` };
  const type = NUMBER_RULES[cellType];
  if (!type) return { rule: '', formula: undefined };
  const rule = `type="${type}" operator="greaterThanOrEqual" showErrorMessage="1"`;
  return { rule, formula: String(type === 'date' ? 1 : minimum) };
}

/** Returns a formula for the filled cells of a column: names from their sheet, ids from {@link choicesSheet}. */
function listOf(written: WrittenCatalog, column: 'id' | 'name'): string {
  const letter = letterOf(written, column);
  const first = `${written.catalog}!$${letter}$2`;
  const count = `${column === 'id' ? 'COUNT' : 'COUNTA'}(${first}:$${letter}$${MAX_ROWS})`;
  return `OFFSET(${column === 'id' ? `${CHOICES}!$A$2` : first},0,0,MAX(1,${count}),1)`;
}

function letterOf({ columns }: WrittenCatalog, column: string): string {
  return columnLetters(columns.findIndex(({ name }) => name === column));
}

/** The hidden sheet of ids with names, since a list can only offer the cells of a range. */
export const CHOICES = 'choices';
/** How many rows may be added to the catalog. */
const SPARE_ROWS = 1_000;

/** Returns the formula for column A of that sheet from row 2, and the values to store: the id and the name of each row. */
export function choicesSheet(written: WrittenCatalog): { formula: string; values: string[] } {
  const { catalog, columns, rows } = written;
  const cell = (column: string) =>
    `INDEX(${catalog}!$${letterOf(written, column)}:$${letterOf(written, column)},ROW())`;
  const formula = `IF(${cell('id')}="","",${cell('id')}&" "&${cell('name')})`;
  const textIn = (row: WrittenCatalog['rows'][number]) =>
    ['id', 'name']
      .map(column => row[columns.findIndex(({ name }) => name === column)] ?? '')
      .join(' ')
      .trim();
  return { formula, values: [...rows.map(textIn), ...Array<string>(SPARE_ROWS).fill('')] };
}
