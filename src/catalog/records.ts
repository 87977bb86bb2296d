import { type Static, Type } from '@sinclair/typebox';
import { type Configuration, catalogs, type Duration, type News, type Price } from './schemas.ts';
import type { TimeZone } from './time-zone.ts';

/** No other fields; the title is what the OpenAPI document calls it. */
const titled = (title: string) => ({ additionalProperties: false, title });
const formattedTime = (description: string) =>
  Type.String({
    pattern: '^\\d{4}-\\d\\d-\\d\\d \\d\\d:\\d\\d:\\d\\d$',
    description: `${description} as YYYY-MM-DD HH:MM:SS in the zone of the site`,
  });
const read = Type.Integer({ minimum: 0, description: 'read count: how often its detail was read' });

/** An entry of `durations` (SPEC 2.3). Where there is no durations catalog, its id and its price are all that is known. */
const DurationPriceSchema = Type.Object(
  {
    duration_id: catalogs.prices.row.properties.duration_id,
    ...Type.Partial(Type.Pick(catalogs.durations.row, ['name', 'num', 'unit'])).properties,
    price: catalogs.prices.row.properties.price,
  },
  titled('DurationPrice'),
);
type DurationPrice = Static<typeof DurationPriceSchema>;

/** An item of the list of configurations (SPEC 2.3). */
export const RecommendedConfigurationSchema = Type.Object(
  {
    ...Type.Pick(catalogs.configurations.row, ['id', 'product_id', 'name', 'cpu', 'memory']).properties,
    durations: Type.Optional(
      Type.Array(DurationPriceSchema, { description: 'prices by duration; there with `include_durations`' }),
    ),
  },
  titled('RecommendedConfiguration'),
);
export type RecommendedConfiguration = Static<typeof RecommendedConfigurationSchema>;

/** The answer of the price endpoint (SPEC 2.3.1): a row of the prices catalog as it is. */
export const PriceRecordSchema = Type.Object(catalogs.prices.row.properties, titled('PriceRecord'));
export type PriceRecord = Static<typeof PriceRecordSchema>;

/** An item of the list of news (SPEC 2.4). */
export const NewsListItemSchema = Type.Object(
  {
    ...Type.Pick(catalogs.news.row, ['id', 'title', 'content', 'keywords']).properties,
    read,
    create_time: catalogs.news.row.properties.create_time,
    create_time_formatted: formattedTime('creation time'),
    update_time_formatted: formattedTime('time of the last change'),
  },
  titled('NewsListItem'),
);
export type NewsListItem = Static<typeof NewsListItemSchema>;

/** The answer of the news detail endpoint (SPEC 2.4). */
export const NewsDetailSchema = Type.Object(
  {
    ...Type.Pick(catalogs.news.row, ['id', 'title', 'content', 'keywords', 'img']).properties,
    read,
    create_time_formatted: formattedTime('creation time'),
  },
  titled('NewsDetail'),
);
export type NewsDetail = Static<typeof NewsDetailSchema>;

/** A price as an entry of `durations`; `duration` is undefined where there is no durations catalog. */
export function durationPrice({ duration_id, price }: Price, duration: Duration | undefined): DurationPrice {
  if (!duration) return { duration_id, price };
  const { name, num, unit } = duration;
  return { duration_id, name, num, unit, price };
}

/** A configuration as an item of the list, without the key `durations` where these are undefined. */
export function recommendedConfiguration(
  { id, product_id, name, cpu, memory }: Configuration,
  durations: DurationPrice[] | undefined,
): RecommendedConfiguration {
  return { id, product_id, name, cpu, memory, ...(durations && { durations }) };
}

/** A news item as an item of the list; `read` is the count that is shown. */
export function newsListItem(item: News, read: number, zone: TimeZone): NewsListItem {
  const { id, title, content, keywords, create_time, update_time } = item;
  return {
    id,
    title,
    content,
    keywords,
    read,
    create_time,
    create_time_formatted: zone.format(create_time),
    update_time_formatted: zone.format(update_time || create_time),
  };
}

/** A news item as the answer to a read; `read` is the count after it. */
export function newsDetail(item: News, read: number, zone: TimeZone): NewsDetail {
  const { id, title, content, keywords, img, create_time } = item;
  return { id, title, content, keywords, img, read, create_time_formatted: zone.format(create_time) };
}
