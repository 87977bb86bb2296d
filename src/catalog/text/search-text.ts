import type { News } from '../../contract/columns.ts';
import { fold } from './fold.ts';
import { textOf } from './html-text.ts';

/** The folded text of an item that searches look into. No term matches across two fields, because none contains a line break. */
export function searchText({ title, keywords, content }: News): string {
  return fold(`${title}\n${keywords}\n${textOf(content)}`);
}

/** The folded terms of a keyword, all of which must occur in a text; without those that another term contains. */
export function termsOf(keyword: string): string[] {
  const terms = [...new Set(fold(keyword).split(/\s+/))];
  return terms.filter(term => !terms.some(other => other !== term && other.includes(term)) && term !== '');
}
