import type { Steps } from '../../src/answer/in-turn.ts';
import type { News } from '../../src/contract/columns.ts';
import { search } from '../../src/query/news.ts';
import { fold } from '../../src/snapshot/fold.ts';
import { textOf } from '../../src/snapshot/html-text.ts';
import { tabulateNews } from '../../src/snapshot/news-table.ts';
import { signaturesOf } from '../../src/snapshot/search-index.ts';
import { openTimeZone } from '../../src/time-zone.ts';

type Texts = Pick<News, 'title' | 'keywords' | 'content'>;

/** The news table of these texts. */
export function tableOf(texts: readonly Texts[]) {
  const rest = { img: '', read: 0, create_time: 0, update_time: 0, publish_time: 0, hidden: false };
  const news = texts.map((texts, index) => ({ id: index + 1, ...texts, ...rest }));
  const table = tabulateNews(news, openTimeZone('UTC'));
  return { ...table, signatures: signaturesOf(table.texts) };
}

/** Searches these texts; returns the numbers of the matches. */
export function searchIn(texts: readonly Texts[]) {
  const table = tableOf(texts);
  const rows = [...texts.keys()];
  return (keyword: string) => stepsOf(search(table, keyword, rows, () => true)).result;
}

/** Runs a search to its end; returns its rows and its number of steps. */
export function stepsOf<Result>(steps: Steps<Result>): { result: Result; count: number } {
  for (let count = 1; ; count += 1) {
    const { done, value } = steps.next();
    if (done) return { result: value, count };
  }
}

/** The expected result, from a scan of every text. */
export function scan(texts: readonly Texts[], keyword: string): number[] {
  const terms = fold(keyword).split(/\s+/).filter(Boolean);
  const holds = ({ title, keywords, content }: Texts, term: string) =>
    [title, keywords, textOf(content)].some(text => fold(text).includes(term));
  return [...texts.keys()].filter(row => terms.every(term => holds(texts[row] as Texts, term)));
}
