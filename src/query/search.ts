import { termsOf } from '../snapshot/fold.ts';
import type { NewsTable } from '../snapshot/news-table.ts';
import { candidates } from '../snapshot/search-index.ts';

/** Characters searched between two yields: about a millisecond of work. */
const STEP_CHARACTERS = 2 ** 20;
/** The fixed cost of a text, in characters that could be searched in its place. */
const CHARACTERS_PER_TEXT = 100;

/**
 * The `rows` that match a keyword: each of its terms occurs in the title, the keywords or the text of the content, all of
 * them folded (see {@link fold}). `isAmong` tests whether a row is one of `rows`; the signatures are those of all rows of the
 * table. Yields every millisecond or so, so that the caller can let other requests go first.
 */
export function* search(
  { signatures, texts }: Pick<NewsTable, 'signatures' | 'texts'>,
  keyword: string,
  rows: readonly number[],
  isAmong: (row: number) => boolean,
): Generator<undefined, readonly number[]> {
  const terms = termsOf(keyword);
  if (terms.length === 0) return rows;
  const found: number[] = [];
  let characters = 0;
  for (const row of candidates(signatures, terms, texts.length)) {
    if (isAmong(row) && holdsAll(texts[row] ?? '', terms)) found.push(row);
    characters += CHARACTERS_PER_TEXT + (texts[row]?.length ?? 0) * terms.length;
    if (characters < STEP_CHARACTERS) continue;
    characters = 0;
    yield;
  }
  return found;
}

/** Moves a missing term to the front of `terms`, so that most of the next texts are searched for one term only. */
function holdsAll(text: string, terms: string[]): boolean {
  const missing = terms.findIndex(term => !text.includes(term));
  if (missing > 0) terms.unshift(...terms.splice(missing, 1));
  return missing < 0;
}
