import type { Configuration, Duration, News, Price, Product } from '../contract/columns.ts';
import type {
  DurationPrice,
  NewsDetail,
  NewsListItem,
  ProductRecord,
  RecommendedConfiguration,
} from '../contract/records.ts';
import type { TimeZone } from '../time-zone.ts';

/** `description` is absent if empty. */
export function productRecord({ id, name, description }: Product): ProductRecord {
  return { id, name, ...(description && { description }) };
}

/** `duration` is undefined without a durations catalog. */
export function durationPrice({ duration_id, price }: Price, duration: Duration | undefined): DurationPrice {
  if (!duration) return { duration_id, price };
  const { name, num, unit } = duration;
  return { duration_id, name, num, unit, price };
}

export function recommendedConfiguration(
  { id, product_id, name, cpu, memory }: Configuration,
  durations: DurationPrice[] | undefined,
): RecommendedConfiguration {
  return { id, product_id, name, cpu, memory, ...(durations && { durations }) };
}

/** An item in a list, with a `read` of 0. */
export function newsListItem(item: News, zone: TimeZone): NewsListItem {
  const { id, title, content, keywords, create_time, update_time } = item;
  return {
    id,
    title,
    content,
    keywords,
    read: 0,
    create_time,
    create_time_formatted: zone.format(create_time),
    update_time_formatted: zone.format(update_time || create_time),
  };
}

/** An item as its detail, with a `read` of 0. */
export function newsDetailRecord(item: News, zone: TimeZone): NewsDetail {
  const { id, title, content, keywords, img, create_time } = item;
  return { id, title, content, keywords, img, read: 0, create_time_formatted: zone.format(create_time) };
}
