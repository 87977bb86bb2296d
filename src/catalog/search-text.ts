import { textOf } from './html-text.ts';
import type { News } from './schemas.ts';

/** What is searched of an item. A line break, which no term contains, keeps terms from matching across two fields. */
export function searchText({ title, keywords, content }: News): string {
  return fold(`${title}\n${keywords}\n${textOf(content)}`);
}

/** The terms of a keyword, all of which an item's text has to hold. */
export function termsOf(keyword: string): string[] {
  return fold(keyword).split(/\s+/).filter(Boolean);
}

/** Upper case, not lower, so that the two forms of the Greek sigma are one and ß is ss. */
function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().normalize('NFKC');
}
