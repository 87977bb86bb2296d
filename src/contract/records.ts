import type { Static, TProperties } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { catalogs } from './columns.ts';
import type { NewsInclude } from './queries.ts';

/** An object without other fields. The title names it in the OpenAPI document; the description may be empty. */
export const titled = <Fields extends TProperties>(title: string, description: string, fields: Fields) =>
  Type.Object(fields, { additionalProperties: false, title, ...(description && { description }) });
export const count = (description: string) => Type.Integer({ minimum: 0, description });
export const textList = (description: string) => Type.Array(Type.String(), { description });
export const timestamp = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\dT\\d\\d:\\d\\d:\\d\\dZ$',
    description: `${description}, RFC 3339 in UTC`,
  });
const formattedTime = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
    description: `${description} as YYYY-MM-DD HH:MM:SS in the time zone of the site`,
  });
const readCount = count('read count: how often its detail was read');

/** Own fields by name. Only the owner of the site knows their types. */
export type OwnFields = Record<string, unknown>;
const description = 'own fields of the site; present with `include=extra`, if the row has any';
const extra = Type.Unsafe<OwnFields>({ type: 'object', additionalProperties: true, description });
const record = <Fields extends TProperties>(title: string, fields: Fields) =>
  titled(title, '', { ...fields, extra: Type.Optional(extra) });

export const ProductRecordSchema = record('ProductRecord', {
  ...Type.Pick(catalogs.products.row, ['id', 'name']).properties,
  description: Type.Optional(catalogs.products.row.properties.description),
});
export type ProductRecord = Static<typeof ProductRecordSchema>;

export const NewsTypeSchema = record('NewsType', catalogs.news_types.row.properties);
export type NewsTypeRecord = Static<typeof NewsTypeSchema>;

/** An entry of `durations` (SPEC 2.3); without a durations catalog, only `duration_id` and `price`. */
const DurationPriceSchema = record('DurationPrice', {
  duration_id: catalogs.prices.row.properties.duration_id,
  ...Type.Partial(Type.Pick(catalogs.durations.row, ['name', 'num', 'unit'])).properties,
  price: catalogs.prices.row.properties.price,
});
export type DurationPrice = Static<typeof DurationPriceSchema>;

/** SPEC 2.3. */
export const RecommendedConfigurationSchema = record('RecommendedConfiguration', {
  ...Type.Pick(catalogs.configurations.row, ['id', 'product_id', 'name', 'cpu', 'memory']).properties,
  durations: Type.Optional(
    Type.Array(DurationPriceSchema, { description: 'prices by duration; present with `include_durations`' }),
  ),
});
export type RecommendedConfiguration = Static<typeof RecommendedConfigurationSchema>;

/** SPEC 2.3.1: a row of the prices catalog. */
export const PriceRecordSchema = record(
  'PriceRecord',
  Type.Omit(catalogs.prices.row, ['hidden', 'valid_from']).properties,
);
export type PriceRecord = Static<typeof PriceRecordSchema>;

const { id, title, content, keywords, img, type_id, create_time } = catalogs.news.row.properties;
/** SPEC 2.4, in lists; `include` adds `img`, `type_id` and `extra`. */
export const NewsListItemSchema = record('NewsListItem', {
  id,
  title,
  content,
  keywords,
  img: Type.Optional(img),
  type_id,
  read: readCount,
  create_time,
  create_time_formatted: formattedTime('creation time'),
  update_time_formatted: formattedTime('time of the last change'),
});
export type IncludingNewsItem = Static<typeof NewsListItemSchema>;
export type NewsListItem = Omit<IncludingNewsItem, NewsInclude>;

/** SPEC 2.4, as the news detail returns it. */
export const NewsDetailSchema = record('NewsDetail', {
  id,
  title,
  content,
  keywords,
  img,
  read: readCount,
  create_time_formatted: formattedTime('creation time'),
});
export type NewsDetail = Static<typeof NewsDetailSchema>;
