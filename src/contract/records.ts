import type { Static } from '@sinclair/typebox';
import * as Type from '@sinclair/typebox/type';
import { catalogs } from './columns.ts';
import type { NewsInclude } from './queries.ts';

/** Options of an object without other fields; the title is its name in the OpenAPI document. */
export const titled = (title: string, description?: string) => ({
  additionalProperties: false,
  title,
  ...(description !== undefined && { description }),
});
/** A number of things, from 0. */
export const count = (description: string) => Type.Integer({ minimum: 0, description });
/** A moment in UTC. */
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
const read = count('read count: how often its detail was read');

/** An item of the list of products. */
export const ProductRecordSchema = Type.Object(
  {
    ...Type.Pick(catalogs.products.row, ['id', 'name']).properties,
    description: Type.Optional(catalogs.products.row.properties.description),
  },
  titled('ProductRecord'),
);
export type ProductRecord = Static<typeof ProductRecordSchema>;

/** An item of the list of news categories. */
export const NewsTypeSchema = Type.Object(catalogs.news_types.row.properties, titled('NewsType'));

/** An entry of `durations` (SPEC 2.3). Without a durations catalog, it has only `duration_id` and `price`. */
const DurationPriceSchema = Type.Object(
  {
    duration_id: catalogs.prices.row.properties.duration_id,
    ...Type.Partial(Type.Pick(catalogs.durations.row, ['name', 'num', 'unit'])).properties,
    price: catalogs.prices.row.properties.price,
  },
  titled('DurationPrice'),
);
export type DurationPrice = Static<typeof DurationPriceSchema>;

/** An item of the list of configurations (SPEC 2.3). */
export const RecommendedConfigurationSchema = Type.Object(
  {
    ...Type.Pick(catalogs.configurations.row, ['id', 'product_id', 'name', 'cpu', 'memory']).properties,
    durations: Type.Optional(
      Type.Array(DurationPriceSchema, {
        description: 'prices by duration; present with `include_durations`',
      }),
    ),
  },
  titled('RecommendedConfiguration'),
);
export type RecommendedConfiguration = Static<typeof RecommendedConfigurationSchema>;

/** The `data` of the price endpoint (SPEC 2.3.1): a row of the prices catalog. */
export const PriceRecordSchema = Type.Omit(catalogs.prices.row, ['hidden'], titled('PriceRecord'));
export type PriceRecord = Static<typeof PriceRecordSchema>;

const { id, title, content, keywords, img, type_id, create_time } = catalogs.news.row.properties;
/** An item of the list of news items (SPEC 2.4); `include` adds `img` and `type_id`. */
export const NewsListItemSchema = Type.Object(
  {
    id,
    title,
    content,
    keywords,
    img: Type.Optional(img),
    type_id,
    read,
    create_time,
    create_time_formatted: formattedTime('creation time'),
    update_time_formatted: formattedTime('time of the last change'),
  },
  titled('NewsListItem'),
);
export type IncludingNewsItem = Static<typeof NewsListItemSchema>;
export type NewsListItem = Omit<IncludingNewsItem, NewsInclude>;

/** The `data` of the news detail endpoint (SPEC 2.4). */
export const NewsDetailSchema = Type.Object(
  {
    id,
    title,
    content,
    keywords,
    img,
    read,
    create_time_formatted: formattedTime('creation time'),
  },
  titled('NewsDetail'),
);
export type NewsDetail = Static<typeof NewsDetailSchema>;
