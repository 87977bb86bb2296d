import type { NewsTable } from '../../snapshot/news-table.ts';
import type { Values } from './row-table.ts';

const decoder = new TextDecoder();

/** The values of a news item, except its texts. */
export function newsFields(news: NewsTable, row: number): Values {
  const unpublish_time = news.unpublish_time[row];
  return {
    id: news.id[row],
    type_id: news.type_id[row] || undefined,
    img: news.img[row],
    read: news.read[row],
    create_time: news.create_time[row],
    update_time: news.update_time[row],
    publish_time: news.publish_time[row],
    unpublish_time: unpublish_time === Number.POSITIVE_INFINITY ? undefined : unpublish_time,
    hidden: false,
  };
}

/** All values of a news item. */
export function newsRecord(news: NewsTable, row: number): Values {
  const { json, itemOffsets, readOffsets } = news;
  // Up to the read count, which is not in the JSON; the texts are all before it.
  const texts = JSON.parse(`${decoder.decode(json.subarray(itemOffsets[row], readOffsets[row]))}0}`);
  const { title, content, keywords } = texts;
  return { ...newsFields(news, row), title, content, keywords };
}

/** The folded texts of a news item, as searches have them. */
export function newsTexts({ texts }: NewsTable, row: number): Record<string, string> {
  const text = texts[row] ?? '';
  const titleEnd = text.indexOf('\n');
  const keywordsEnd = text.indexOf('\n', titleEnd + 1);
  return {
    title: text.slice(0, titleEnd),
    keywords: text.slice(titleEnd + 1, keywordsEnd),
    content: text.slice(keywordsEnd + 1),
  };
}
