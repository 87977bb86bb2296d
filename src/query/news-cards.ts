import type { NewsArticle, NewsCard } from '../contract/page.ts';
import type { NewsDetail } from '../contract/records.ts';
import { isHtml, paragraphsOf } from '../snapshot/html-text.ts';
import { detailPieces, type NewsTable } from '../snapshot/news-table.ts';

/** A news item as the page shows it. `type_id` is 0 for none, and `read` is the count to show. */
export function newsCard({ content, ...detail }: NewsDetail, type_id: number, read: number): NewsCard {
  const { read: _none, ...others } = detail;
  return { ...(type_id && { type_id }), ...others, paragraphs: paragraphsOf(content), read };
}

/** The news item of a row as the page shows it alone. `read` is the count to show. */
export function newsArticleAt(news: NewsTable, row: number, read: number): NewsArticle {
  const type_id = news.type_id[row];
  const detail = newsDetailAt(news, row);
  return { ...(type_id && { type_id }), ...detail, read, html: isHtml(detail.content) };
}

/** The detail of a row, in which `read` is 0. */
export function newsDetailAt(news: NewsTable, row: number): NewsDetail {
  const { before, after } = detailPieces(news, row);
  return JSON.parse(Buffer.concat([...before, Buffer.from('0'), after]).toString());
}
