import { divideRows, divideTexts, type SnapshotChunk } from '../chunks.ts';
import { columnsIn } from '../column-chunks.ts';
import type { Snapshot } from '../snapshot.ts';

/**
 * Divides a snapshot whose tables are in shared memory into chunks for another thread, small enough to receive between two
 * requests. The tables are not copied. What changed and where its rows are is left out.
 */
export function* sharedChunks(snapshot: Snapshot): Generator<SnapshotChunk> {
  const { products, configurations, durations, newsTypes, prices, news } = snapshot;
  for (const rows of divideRows([...products.values()])) yield { catalog: 'products', rows };
  for (const rows of divideRows([...configurations.values()])) yield { catalog: 'configurations', rows };
  if (durations) yield { catalog: 'durations', rows: [...durations.values()] };
  yield { catalog: 'news_types', rows: [...newsTypes.values()] };
  for (const chunk of columnsIn(prices)) yield { catalog: 'prices', ...chunk };
  for (const names of divideTexts(news.img)) yield { catalog: 'img', names };
  for (const chunk of columnsIn(news)) yield { catalog: 'news', ...chunk };
  for (const chunk of columnsIn(news.ngrams)) yield { catalog: 'ngrams', ...chunk };
  if (news.sharedTexts) yield { catalog: 'sharedTexts', texts: news.sharedTexts };
}
