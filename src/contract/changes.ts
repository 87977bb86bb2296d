import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { catalogNames } from './columns.ts';
import { PageSchema } from './envelope.ts';
import { count, titled } from './records.ts';

/** The most characters of a text in public changes. */
export const SHORT_LENGTH = 200;

/** The columns that are not served. Public changes leave them out. */
export const unservedColumns: readonly string[] = [
  'order',
  'hidden',
  'read',
  'publish_time',
  'unpublish_time',
];

const catalog = Type.Union(
  catalogNames.map(name => Type.Literal(name)),
  { description: 'which catalog', examples: ['prices'] },
);
const columnName = Type.String({ description: 'name of the column', examples: ['price'] });
const value = (description: string, example: number) =>
  Type.Union([Type.String(), Type.Number(), Type.Boolean(), Type.Null()], {
    description: `${description}; null for none`,
    examples: [example],
  });
const shortValue = (description: string, example: number) =>
  Type.Union([Type.String({ maxLength: SHORT_LENGTH + 1 }), Type.Number(), Type.Boolean(), Type.Null()], {
    description: `${description}; null for none. A long text ends with … after ${SHORT_LENGTH} characters`,
    examples: [example],
  });
const columnNames = (description: string) => Type.Array(Type.String(), { description, examples: [[]] });
const version = (description: string) =>
  Type.Union([Type.Null(), Type.String()], { description, examples: ['790948ef4deb'] });

const keyId = (description: string, example: number) =>
  Type.Optional(Type.Integer({ minimum: 1, description, examples: [example] }));

const KeySchema = Type.Object(
  {
    id: keyId('id of the row; absent for a price', 7),
    product_id: keyId('id of the product of a price', 1),
    rel_id: keyId('id of the configuration of a price', 1),
    duration_id: keyId('id of the duration of a price', 4),
  },
  {
    ...titled('ChangeKey'),
    description: 'which row: by its id, or a price by product, configuration and duration',
  },
);

const name = (description: string, example: string) =>
  Type.Optional(Type.String({ maxLength: SHORT_LENGTH + 1, description, examples: [example] }));

const NamesSchema = Type.Object(
  {
    id: name('name of the row, or title of the news item', 'Cloud Server'),
    product_id: name('name of the product of a price', 'Cloud Server'),
    rel_id: name('name of the configuration of a price', 'Small'),
    duration_id: name('name of the duration of a price', 'Monthly'),
  },
  {
    ...titled('ChangeNames'),
    description: 'the names that the ids of the key stand for in the served set, as far as it has them',
  },
);

/** A change whose values are shown in one way. */
const changeSchema = (title: string, shown: typeof value, meanings: { change: string; columns: string }) => {
  const column = Type.Object(
    {
      column: columnName,
      from: shown('the value before', 19.9),
      to: shown('the value now', 21.89),
      percent: Type.Optional(
        Type.Number({ description: 'of a price: the change in percent, unless it was 0', examples: [10] }),
      ),
    },
    titled(`Column${title}`),
  );
  return Type.Object(
    {
      catalog,
      change: Type.Union(
        (['added', 'removed', 'changed'] as const).map(change => Type.Literal(change)),
        { description: meanings.change },
      ),
      key: KeySchema,
      columns: Type.Array(column, { description: meanings.columns }),
      names: Type.Optional(NamesSchema),
    },
    titled(title),
  );
};

/** An item of `GET /changes`. */
const ChangeSchema = changeSchema('Change', shortValue, {
  change: '`added`: visitors see the row now, and did not before; `removed`: the other way round',
  columns:
    'the columns that differ; of a row that is added, all that have a value, from null; none of one that is removed',
});
export type Change = Static<typeof ChangeSchema>;

const CatalogChangesSchema = Type.Object(
  {
    catalog,
    added: count('number of rows that are added'),
    removed: count('number of rows that are removed'),
    changed: count('number of rows that are changed'),
    columns_added: columnNames('columns that its file did not have before'),
    columns_removed: columnNames('columns that its file does not have any more'),
  },
  titled('CatalogChanges'),
);
export type CatalogChanges = Static<typeof CatalogChangesSchema>;

const ComparedCatalogSchema = Type.Object(
  {
    ...CatalogChangesSchema.properties,
    file: Type.Optional(
      Type.Union([Type.Literal('added'), Type.Literal('removed')], {
        description: 'whether its whole file is new or gone; absent otherwise',
        examples: ['added'],
      }),
    ),
  },
  titled('ComparedCatalog'),
);
/** The changes of a catalog between two sets, hidden rows included. */
export type ComparedCatalog = Static<typeof ComparedCatalogSchema>;

const head = {
  from: version('`Catalog-Version` of the set before; null if it is not known, and then nothing is listed'),
  to: version('`Catalog-Version` of the served set; null if the set before is not known'),
  time: Type.Union(
    [
      Type.Null(),
      Type.String({
        pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
        examples: ['2026-11-22T05:22:53Z'],
      }),
    ],
    { description: 'when the served set replaced the one before, RFC 3339 in UTC' },
  ),
  catalogs: Type.Array(CatalogChangesSchema, {
    description: 'the numbers of changes by catalog, also of those beyond what the list can hold',
  }),
};
const HeadSchema = Type.Object(head);
/** What `GET /changes` says about all changes. */
export type ChangesHead = Static<typeof HeadSchema>;

export const ChangesSchema = Type.Object(
  { ...PageSchema(ChangeSchema).properties, ...head },
  titled('Changes'),
);
/** The `data` of `GET /changes`. */
export type Changes = Static<typeof ChangesSchema>;

/** The first characters of a text, without half a character at the end. */
export function beginningOf(text: string): string {
  if (text.length <= SHORT_LENGTH) return text;
  return text.slice(0, SHORT_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** The same, with `…` at the end if it was cut. */
export function shortened(text: string): string {
  const start = beginningOf(text);
  return start.length < text.length ? `${start}…` : text;
}
