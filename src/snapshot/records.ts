import type { News, Product } from '../contract/columns.ts';
import type { NewsDetail, NewsListItem, ProductRecord } from '../contract/records.ts';
import type { TimeZone } from '../time-zone.ts';

/** `description` is absent if empty. */
export function productRecord({ id, name, description }: Product): ProductRecord {
  return { id, name, ...(description && { description }) };
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
