import { candidates } from '../catalog/gram-index.ts';
import type { NewsTable } from '../catalog/news-table.ts';
import { termsOf } from '../catalog/search-text.ts';

/**
 * Which of the `rows` a keyword finds: every term has to occur in the title, the keywords or the text of the content,
 * in any case and in any compatible form of its characters (NFKC). `isAmong` says of a row whether it is one of the
 * `rows`, since the index knows all of them.
 */
export function search(
  { grams, texts }: Pick<NewsTable, 'grams' | 'texts'>,
  keyword: string,
  rows: readonly number[],
  isAmong: (row: number) => boolean,
): readonly number[] {
  const terms = termsOf(keyword);
  const likely = candidates(grams, terms, texts.length)?.filter(isAmong);
  return terms.reduce<readonly number[]>(
    (found, term) => found.filter(row => texts[row]?.includes(term)),
    likely ?? rows,
  );
}
