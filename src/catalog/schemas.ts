import { type Static, type TObject, type TSchema, Type } from '@sinclair/typebox';
import type { Kind } from './cells.ts';
import { CONFIGURATION_PRICE } from './relation.ts';

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /** How the cells of a catalog column are read. */
    kind?: Kind;
  }
}

const MAX_ID = Number.MAX_SAFE_INTEGER;
/** The last second of the year 9999: later times have no form with four digits of year. */
const MAX_TIME = 253_402_300_799;

/** From the shortest to the longest, which is how durations are ordered. */
export const durationUnits = ['hour', 'day', 'week', 'month', 'year'] as const;

const id = (description: string) => Type.Integer({ kind: 'id', minimum: 1, maximum: MAX_ID, description });
const text = (description: string) => Type.String({ kind: 'text', description });
const optionalText = (description: string) => Type.String({ kind: 'text', default: '', description });
const size = (description: string) => Type.Number({ kind: 'size', exclusiveMinimum: 0, description });
const hidden = () =>
  Type.Boolean({ kind: 'flag', default: false, description: 'true: the row is as if absent' });
const time = { kind: 'time' as const, minimum: 0, maximum: MAX_TIME };

/**
 * The catalogs in the order of their references, each with the schema of its rows: what a row is after reading, with
 * the defaults filled in. A column is optional in the file where it has a default or is optional here.
 */
export const catalogs = {
  products: {
    required: true,
    row: Type.Object({
      id: id('product id'),
      name: text('product name'),
      description: optionalText('what the product is'),
    }),
  },
  configurations: {
    required: true,
    row: Type.Object({
      id: id('configuration id'),
      product_id: id('the product that owns it'),
      name: text('configuration name'),
      cpu: size('number of CPUs; fractions are parts of one'),
      memory: size('memory in MB'),
      order: Type.Integer({
        kind: 'count',
        minimum: -MAX_ID,
        maximum: MAX_ID,
        default: 0,
        description: 'place in the list: smaller comes first',
      }),
      hidden: hidden(),
    }),
  },
  durations: {
    required: false,
    row: Type.Object({
      id: id('duration id'),
      name: text('duration name'),
      num: Type.Integer({ kind: 'count', minimum: 1, maximum: MAX_ID, description: 'how many units' }),
      unit: Type.Union(
        durationUnits.map(unit => Type.Literal(unit)),
        { kind: 'unit', description: `one of ${durationUnits.join(', ')}` },
      ),
    }),
  },
  prices: {
    required: true,
    row: Type.Object({
      id: id('price record id'),
      product_id: id('the product of the configuration'),
      rel_id: id('the configuration that is priced: `recommend_config_id`'),
      duration_id: id('the duration that is paid for'),
      price: Type.Number({
        kind: 'price',
        minimum: 0,
        description: 'decimal price, in the currency of the site',
      }),
      rel_type: Type.Integer({
        kind: 'count',
        minimum: 0,
        maximum: MAX_ID,
        default: CONFIGURATION_PRICE,
        description: 'kind of relation: 1 = price of a recommended configuration; only these are served',
      }),
    }),
  },
  news_types: {
    required: false,
    row: Type.Object({
      id: id('news type id'),
      name: text('news type name'),
    }),
  },
  news: {
    required: true,
    row: Type.Object({
      id: id('news id'),
      type_id: Type.Optional(id('the category')),
      title: text('title'),
      content: text('body text, plain or HTML'),
      keywords: optionalText('comma-separated terms'),
      img: Type.String({
        kind: 'fileName',
        pattern: '^([^./\\\\\\x00-\\x1f][^/\\\\\\x00-\\x1f]*)?$',
        default: '',
        description: 'image file name, as in `/images/{name}`; empty where there is none',
      }),
      read: Type.Integer({
        kind: 'count',
        minimum: 0,
        maximum: MAX_ID,
        default: 0,
        description: 'floor of the read count',
      }),
      create_time: Type.Integer({
        ...time,
        description: 'when it was created, in seconds since 1970 (Unix time)',
      }),
      update_time: Type.Integer({
        ...time,
        default: 0,
        description: 'when it was last changed, in seconds since 1970; 0 = never',
      }),
      publish_time: Type.Integer({
        ...time,
        default: 0,
        description: 'from when on it is shown, in seconds since 1970',
      }),
      hidden: hidden(),
    }),
  },
} as const;

export type CatalogName = keyof typeof catalogs;
export type Row<Name extends CatalogName> = Static<(typeof catalogs)[Name]['row']>;
export type Product = Row<'products'>;
export type Configuration = Row<'configurations'>;
export type Duration = Row<'durations'>;
export type Price = Row<'prices'>;
export type NewsType = Row<'news_types'>;
export type News = Row<'news'>;

/** In the order of their references. */
export const catalogNames = Object.keys(catalogs) as CatalogName[];

/** Each file name that is a catalog's; no other file is looked at. */
export const catalogFiles = catalogNames.flatMap(catalog =>
  ['json', 'csv'].map(notation => ({ catalog, file: `${catalog}.${notation}` })),
);

/** One column of a catalog. */
export interface Column {
  name: string;
  schema: TSchema;
  /** Whether every row has to give a value. */
  required: boolean;
}

/** The columns of a catalog, in the order of its schema. */
export function columnsOf(name: CatalogName): Column[] {
  const { properties, required = [] }: TObject = catalogs[name].row;
  return Object.entries(properties).map(([column, schema]) => ({
    name: column,
    schema,
    required: schema.default === undefined && required.includes(column),
  }));
}
