import type { SchemaOptions, Static, TObject, TProperties, TSchema } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { OptionalKind } from '@sinclair/typebox/type';
import { catalogNames, oneOf } from './columns.ts';

declare module '@sinclair/typebox' {
  interface SchemaOptions {
    /** For times: the second that a date without a time means. */
    second?: 'first' | 'last';
    /** The parameters that this one excludes. */
    excludes?: readonly string[];
  }
}

const MAX = Number.MAX_SAFE_INTEGER;

const id = (description: string, more: SchemaOptions = {}) =>
  Type.Integer({ minimum: 1, maximum: MAX, description, ...more });
const paging = {
  page: Type.Integer({ minimum: 1, maximum: MAX, default: 1, description: 'which page, from 1' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'items per page' }),
};

const keyword = (where: string) => {
  const description = `terms separated by white space; each must occur in ${where}`;
  return Type.Optional(Type.String({ maxLength: 64, description }));
};

/** Parsed to Unix seconds, in any of its forms. */
const time = (second: 'first' | 'last', meaning: string) => {
  const description = `${meaning}: Unix seconds, or a date such as \`2026-03-31\`, or a date and time in the time zone of the site or with an offset, such as \`2026-03-31 18:00\` or \`2026-03-31T18:00:00+02:00\``;
  return Type.Optional(Type.Unsafe<number>(Type.String({ second, description })));
};

/** The fields that `include` can add to news in lists, in their order in the item. */
export const newsIncludes = ['img', 'type_id', 'extra'] as const;
export type NewsInclude = (typeof newsIncludes)[number];

const include = <Name extends NewsInclude>(names: readonly Name[], description: string) =>
  Type.Optional(Type.Array(Type.Union(names.map(name => Type.Literal(name))), { minItems: 1, description }));
const includeExtra = include(['extra'], '`extra` adds the own fields of the site');

/** SPEC 4.1. */
export const ConfigurationsQuery = parameters({
  product_id: id('the product'),
  ...paging,
  include_durations: Type.Boolean({ default: false, description: 'whether each item has its prices' }),
  include: includeExtra,
});
export type ConfigurationsQuery = Static<typeof ConfigurationsQuery>;

/** SPEC 4.2. */
export const PriceQuery = parameters({
  product_id: id('the product'),
  recommend_config_id: id('the configuration'),
  duration_id: id('the duration'),
  include: includeExtra,
});
export type PriceQuery = Static<typeof PriceQuery>;

export const PriceMatrixQuery = parameters({
  product_id: id('the product'),
  keyword: keyword('the name of the configuration'),
  ...paging,
});
export type PriceMatrixQuery = Static<typeof PriceMatrixQuery>;

export const RowsQuery = parameters({
  catalog: oneOf(catalogNames, 'which catalog'),
  keyword: keyword('a value of the row, or in a name that one of its ids stands for'),
  only: Type.Optional(
    oneOf(['changed', 'problems'], 'rows that the last change added or changed, or rows with problems'),
  ),
  ...paging,
});
export type RowsQuery = Static<typeof RowsQuery>;

/** SPEC 4.3, and `ids`, `since`, `until`, `sort`, `around` and `include`. */
export const NewsQuery = parameters({
  ...paging,
  keyword: keyword(
    'the title, the keywords or the text of the content. Case and accents of Latin letters do not matter: `cafe` finds Café, `strasse` finds Straße',
  ),
  type_id: Type.Optional(id('the category')),
  ids: Type.Optional(
    Type.Array(id('a news id'), {
      minItems: 1,
      maxItems: 100,
      description: 'only these news items; unknown ids are left out',
    }),
  ),
  since: time('first', 'created at this time or later'),
  until: time('last', 'created at this time or earlier; a date alone includes the whole day'),
  sort: Type.Optional(Type.Literal('read', { description: 'the most read first, instead of the newest' })),
  around: Type.Optional(
    id('a news id: only this item, and those before and after it in the list', {
      excludes: ['page', 'limit', 'keyword', 'ids', 'sort'],
    }),
  ),
  include: include(newsIncludes, 'fields to add to each item; `extra` are the own fields of the site'),
});
export type NewsQuery = Static<typeof NewsQuery>;

export const ListQuery = parameters(paging);
export type ListQuery = Static<typeof ListQuery>;

export const RowListQuery = parameters({ ...paging, include: includeExtra });
export type RowListQuery = Static<typeof RowListQuery>;

export const VersionQuery = parameters({
  version: Type.String({ maxLength: 64, description: 'a version, or its first digits' }),
});

export const FeedQuery = parameters({ type_id: NewsQuery.properties.type_id });
export type FeedQuery = Static<typeof FeedQuery>;

/** SPEC 4.4: the path parameter. */
export const NewsDetailQuery = parameters({ id: id('the news id') });
export const IncludeQuery = parameters({ include: includeExtra });

/** Parameters with a default are optional in requests, and always present after parsing. */
function parameters<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  const isRequired = (parameter: TSchema) => parameter.default === undefined && !(OptionalKind in parameter);
  const required = Object.entries(properties).flatMap(([name, parameter]) =>
    isRequired(parameter) ? [name] : [],
  );
  return { ...Type.Object(properties), required };
}
