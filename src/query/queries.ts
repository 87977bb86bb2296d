import {
  OptionalKind,
  type Static,
  type TObject,
  type TProperties,
  type TSchema,
  Type,
} from '@sinclair/typebox';

const MAX = Number.MAX_SAFE_INTEGER;

const id = (description: string) => Type.Integer({ minimum: 1, maximum: MAX, description });
const paging = {
  page: Type.Integer({ minimum: 1, maximum: MAX, default: 1, description: 'which page, from 1' }),
  limit: Type.Integer({ minimum: 1, maximum: 100, default: 20, description: 'items per page' }),
};

/** What is asked of the list of configurations (SPEC 4.1). */
export const ConfigurationsQuery = parameters({
  product_id: id('the product'),
  ...paging,
  include_durations: Type.Boolean({ default: false, description: 'whether each item comes with its prices' }),
});
export type ConfigurationsQuery = Static<typeof ConfigurationsQuery>;

/** What is asked of the prices (SPEC 4.2). */
export const PriceQuery = parameters({
  product_id: id('the product'),
  recommend_config_id: id('the configuration'),
  duration_id: id('the duration'),
});
export type PriceQuery = Static<typeof PriceQuery>;

/** What is asked of the list of news (SPEC 4.3). */
export const NewsQuery = parameters({
  ...paging,
  keyword: Type.Optional(Type.String({ maxLength: 64, description: 'terms that all have to occur' })),
  type_id: Type.Optional(id('the category')),
});
export type NewsQuery = Static<typeof NewsQuery>;

/** What is asked of the feeds of news. */
export const FeedQuery = parameters({ type_id: NewsQuery.properties.type_id });
export type FeedQuery = Static<typeof FeedQuery>;

/** What is asked of the overview: nothing. */
export const OverviewQuery = parameters({});

/** Which news item is asked for (SPEC 4.4). */
export const NewsDetailQuery = parameters({ id: id('the news id') });

/** An object of parameters. Those with a default need not be sent, and are always there once they are read. */
function parameters<Properties extends TProperties>(properties: Properties): TObject<Properties> {
  const isRequired = (parameter: TSchema) => parameter.default === undefined && !(OptionalKind in parameter);
  const required = Object.entries(properties).flatMap(([name, parameter]) =>
    isRequired(parameter) ? [name] : [],
  );
  return { ...Type.Object(properties), required };
}
