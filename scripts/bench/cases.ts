import { combinationOf, countsFor } from './catalog/prices.ts';
import { type Random, shuffled } from './catalog/random.ts';
import { nameOf, type Text } from './catalog/words.ts';
import type { Question } from './questions.ts';

/** How many different questions a case asks at most. */
const MAX_QUESTIONS = 10_000;

/** Something that clients ask of a server, again and again. */
export interface Case {
  /** As it is chosen on the command line. */
  name: string;
  /** As people read it. */
  title: string;
  text: Text;
  /** Whether clients have the answers already, so that they are told 304. */
  isConditional: boolean;
  /** Of the catalog with so many news and as many prices. */
  question(index: number): Question;
  /** How many different questions there are. */
  count(size: number): number;
}

const price: Pick<Case, 'question' | 'count'> = {
  question: index => ({ about: 'price', ...combinationOf(index + 1) }),
  count: size => size,
};

/** Pages of news of so many items. */
function newsPages(limit: number): Pick<Case, 'question' | 'count'> {
  return {
    question: index => ({ about: 'news', page: index + 1, limit }),
    count: size => Math.min(1000, size / limit),
  };
}

const plain = { text: 'ascii', isConditional: false } as const;
const chinese = { text: 'chinese', isConditional: false } as const;
const conditional = { text: 'ascii', isConditional: true } as const;
/** From here on there are names of news items that no catalog has. */
const NO_ITEM = 150_000;

export const cases: Case[] = [
  { name: 'price', title: 'Price', ...plain, ...price },
  {
    name: 'configurations',
    title: 'Configurations of a product, with durations',
    ...plain,
    question: index => ({ about: 'configurations', product_id: index + 1 }),
    count: size => countsFor(size).products,
  },
  { name: 'news-10', title: 'News, 10 a page', ...plain, ...newsPages(10) },
  { name: 'news-10-chinese', title: 'News, 10 a page, Chinese', ...chinese, ...newsPages(10) },
  { name: 'news-100', title: 'News, 100 a page', ...plain, ...newsPages(100) },
  { name: 'news-100-chinese', title: 'News, 100 a page, Chinese', ...chinese, ...newsPages(100) },
  {
    name: 'news-item',
    title: 'One news item',
    ...plain,
    question: index => ({ about: 'item', id: index + 1 }),
    count: size => size,
  },
  { name: 'price-304', title: 'Price, not modified (304)', ...conditional, ...price },
  { name: 'news-10-304', title: 'News, 10 a page, not modified (304)', ...conditional, ...newsPages(10) },
  {
    name: 'keyword-found',
    title: 'Keyword that is in one news item',
    ...plain,
    question: index => ({ about: 'keyword', keyword: nameOf('ascii', index + 1) }),
    count: size => size,
  },
  {
    name: 'keyword-not-found',
    title: 'Keyword that is in none',
    ...plain,
    question: index => ({ about: 'keyword', keyword: nameOf('ascii', NO_ITEM + index) }),
    count: () => MAX_QUESTIONS,
  },
];

/** The questions of a case to a catalog with so many news and as many prices, in an order of chance. */
export function questionsOf({ question, count }: Case, size: number, random: Random): Question[] {
  const indices = shuffled(Array.from({ length: count(size) }).keys(), random);
  return indices.slice(0, MAX_QUESTIONS).map(question);
}
