import { type Accident, blank, insertRow, refused } from './accident.ts';

/** What happens to the row of headings. */
export const headingAccidents: Accident[] = [
  {
    name: 'a title above the headings',
    catalog: 'prices',
    happen: insertRow(0, [refused('Prices of 2026')]),
  },
  {
    name: 'labels above the headings',
    catalog: 'configurations',
    happen: insertRow(
      0,
      ['Number', 'Product', 'Label', 'Processors', 'Memory'].map((label, index) =>
        index === 0 ? refused(label) : { text: label },
      ),
    ),
  },
  {
    name: 'a second row of headings',
    catalog: 'configurations',
    happen: (rows, { columns }) =>
      rows.toSpliced(
        1,
        0,
        columns.map(({ kind }) => (kind === 'text' ? { text: 'Text' } : refused('Number'))),
      ),
  },
  {
    name: 'headings in another language',
    catalog: 'products',
    happen: ([, ...body]) => [[refused('Produkt'), { text: 'Bezeichnung' }, { text: 'Text' }], ...body],
  },
  {
    name: 'one heading in another language',
    catalog: 'products',
    happen: ([, ...body]) => [[{ text: 'id' }, refused('Bezeichnung'), { text: 'description' }], ...body],
  },
  {
    name: 'headings in other letters',
    catalog: 'news',
    happen: ([, ...body]) => [
      ['ID', 'Title', ' CONTENT', 'Create Time', 'updateTime', 'keywords ', 'Hidden'].map(text => ({ text })),
      ...body,
    ],
  },
  {
    name: 'a blank row above the headings',
    catalog: 'products',
    happen: insertRow(0, [blank]),
  },
];
