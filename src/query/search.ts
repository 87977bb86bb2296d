import type { News } from '../catalog/schemas.ts';
import { textOf } from './html-text.ts';

/**
 * Makes a keyword into a test of news items: every term, divided by white space, has to occur in the title, the
 * keywords or the text of the content, in any case and in any compatible form of its characters (NFKC).
 */
export function matcher(keyword: string): (item: News) => boolean {
  const terms = fold(keyword).split(/\s+/).filter(Boolean);
  return item => {
    const text = searchText(item);
    return terms.every(term => text.includes(term));
  };
}

const texts = new WeakMap<News, string>();

/** What is searched of an item. A line break, which no term contains, keeps terms from matching across two fields. */
function searchText(item: News): string {
  let text = texts.get(item);
  if (text === undefined) {
    text = fold(`${item.title}\n${item.keywords}\n${textOf(item.content)}`);
    texts.set(item, text);
  }
  return text;
}

/** Upper case, not lower, so that the two forms of the Greek sigma are one and ß is ss. */
function fold(text: string): string {
  return text.normalize('NFKC').toUpperCase().normalize('NFKC');
}
