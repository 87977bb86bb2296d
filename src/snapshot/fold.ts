import type { News } from '../contract/columns.ts';
import { htmlText } from './html-text.ts';

/**
 * Normalizes a text or a term for searching, so that texts that readers consider equal become equal. Ignores case, compatible
 * forms (`ﬁ` and `fi`), accents of Latin and Greek letters (`café`, `ß` and `ss`, `ø` and `o`), points of Hebrew and Arabic,
 * invisible characters, and typographic quotation marks and hyphens. Keeps marks that make another letter: `が` is not `か`, `й`
 * is not `и`. Idempotent.
 */
export function fold(text: string): string {
  if (ASCII.test(text)) return text.toUpperCase();
  // Upper case, not lower, makes both forms of the Greek sigma equal, and ß equal to ss.
  return text
    .replace(IGNORABLE, '')
    .replace(LONG_RUN, '$1')
    .normalize('NFKD')
    .toUpperCase()
    .replace(ACCENTS, '')
    .replace(POINTS, '')
    .replace(TYPED, character => typed[character] ?? character)
    .normalize('NFKC');
}

const ASCII = /^[\0-\x7f]*$/;
const IGNORABLE = /\p{Default_Ignorable_Code_Point}+/gu;
/** Marks on a Latin or Greek letter. Matching starts at the mark, since marks are rarer than letters. */
const ACCENTS = /[\u0300-\u036f](?<=[\p{Script=Latin}\p{Script=Greek}].)[\u0300-\u036f]*/gu;
/** The dots of ё, and vowel points and stretching of Hebrew and Arabic. Hamza and madda (0653 to 0655) make other letters. */
const POINTS =
  /(?<=Е)\u0308|[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u0652\u0656-\u065f\u0670]/gu;

/** What people type for characters that Unicode does not decompose, and for typographic characters. */
const typed: Readonly<Record<string, string>> = {
  ...{ Æ: 'AE', Œ: 'OE', Ø: 'O', Ł: 'L', Đ: 'D', Ð: 'D', Þ: 'TH', Ħ: 'H', ẞ: 'SS' },
  ...{ '‘': "'", '’': "'", '‛': "'", ʼ: "'", '“': '"', '”': '"', '„': '"', '‟': '"' },
  ...{ '‐': '-', '‒': '-', '–': '-', '—': '-', '―': '-', '−': '-' },
};
const TYPED = new RegExp(`[${Object.keys(typed).join('')}]`, 'gu');

/** Runs of more than 30 marks, longer than in any language (UAX #15). Normalization sorts a run in quadratic time. */
const LONG_RUN = /(\p{M}{30})\p{M}+/gu;

/** Returns the folded text to search. Terms cannot match across fields, since they contain no line break. */
export function searchText({ title, keywords, content }: News): string {
  return fold(`${title}\n${keywords}\n${htmlText(content)}`);
}

/** Returns the folded terms of a keyword, without those that another term contains. All must occur in a text. */
export function termsOf(keyword: string): string[] {
  const terms = [...new Set(fold(keyword).split(/\s+/))];
  return terms.filter(term => !terms.some(other => other !== term && other.includes(term)) && term !== '');
}
