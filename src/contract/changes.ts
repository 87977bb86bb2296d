import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { catalogNames, guardWords, oneOf } from './columns.ts';
import { PageSchema } from './envelope.ts';
import { count, textList, timestamp, titled } from './records.ts';

/** The maximum length of texts in public changes. */
const SHORT_LENGTH = 200;

/** Columns that are not served. Public changes leave them out. */
export const unservedColumns: readonly string[] = [
  ...['order', 'read', 'publish_time', 'unpublish_time', 'valid_from'],
  ...Object.keys(guardWords),
];

const catalog = oneOf(catalogNames, 'which catalog');
const value = (description: string) =>
  Type.Union([Type.String({ maxLength: SHORT_LENGTH + 1 }), Type.Number(), Type.Boolean(), Type.Null()], {
    description: `${description}; null for none. A long text ends with … after ${SHORT_LENGTH} characters`,
  });
const version = (description: string) => Type.Union([Type.Null(), Type.String()], { description });
const keyId = (description: string) => Type.Optional(Type.Integer({ minimum: 1, description }));
const name = (description: string) =>
  Type.Optional(Type.String({ maxLength: SHORT_LENGTH + 1, description }));

const KeySchema = titled(
  'ChangeKey',
  'which row: by its id, or a price by product, configuration and duration',
  {
    id: keyId('id of the row; absent for a price'),
    product_id: keyId('id of the product of a price'),
    rel_id: keyId('id of the configuration of a price'),
    duration_id: keyId('id of the duration of a price'),
    valid_from: keyId('with the token: from when a price is in force, in Unix seconds'),
  },
);

const NamesSchema = titled(
  'ChangeNames',
  'the names that the ids of the key stand for in the served set, as far as it has them',
  {
    id: name('name of the row, or title of the news item'),
    product_id: name('name of the product of a price'),
    rel_id: name('name of the configuration of a price'),
    duration_id: name('name of the duration of a price'),
  },
);

const ColumnSchema = titled('ColumnChange', '', {
  column: Type.String({ description: 'name of the column' }),
  from: value('the value before'),
  to: value('the value now'),
  percent: Type.Optional(Type.Number({ description: 'of a price: the change in percent, unless it was 0' })),
});

const ChangeSchema = titled('Change', '', {
  catalog,
  change: oneOf(
    ['added', 'removed', 'changed'],
    '`added`: visitors see the row now, and did not before; `removed`: the other way round',
  ),
  key: KeySchema,
  columns: Type.Array(ColumnSchema, {
    description:
      'the columns that differ; of a row that is added, all that have a value, from null; none of one that is removed',
  }),
  names: Type.Optional(NamesSchema),
});
export type Change = Static<typeof ChangeSchema>;

const CatalogChangesSchema = titled('CatalogChanges', '', {
  catalog,
  added: count('number of rows that are added'),
  removed: count('number of rows that are removed'),
  changed: count('number of rows that are changed'),
  columns_added: textList('columns that its file did not have before'),
  columns_removed: textList('columns that its file does not have any more'),
});

/** The changes of a catalog, including hidden rows. `file` says whether its whole file is new or gone. */
export type ComparedCatalog = Static<typeof CatalogChangesSchema> & { file?: 'added' | 'removed' };

const head = {
  from: version('`Catalog-Version` of the set before; null if it is not known, and then nothing is listed'),
  to: version('`Catalog-Version` of the served set; null if the set before is not known'),
  time: Type.Union([Type.Null(), timestamp('when the served set replaced the one before')]),
  catalogs: Type.Array(CatalogChangesSchema, {
    description: 'the numbers of changes by catalog, also of those beyond what the list can hold',
  }),
};
export type ChangesHead = Pick<Changes, keyof typeof head>;

export const ChangesSchema = titled('Changes', '', { ...PageSchema(ChangeSchema).properties, ...head });
export type Changes = Static<typeof ChangesSchema>;

/** Shortens a text to `SHORT_LENGTH` characters and `…`, without cutting a character in half. */
export function shortened(text: string): string {
  if (text.length <= SHORT_LENGTH) return text;
  return `${text.slice(0, SHORT_LENGTH).replace(/[\ud800-\udbff]$/, '')}…`;
}
