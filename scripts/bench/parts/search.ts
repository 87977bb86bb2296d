import { loadCatalog } from '../../../src/live/load.ts';
import { search } from '../../../src/query/search.ts';
import { settingsFrom } from '../../../src/settings/read.ts';
import { termsOf } from '../../../src/snapshot/fold.ts';
import type { NewsTable } from '../../../src/snapshot/news-table.ts';
import { NO_ITEM } from '../cases.ts';
import { nameOf, type Text } from '../catalog/words.ts';
import { type Spread, spreadOf } from '../statistics.ts';

/** A search by the index and a scan of all texts, both in this process. */
export interface SearchResult {
  what: string;
  items: number;
  /** How many items a keyword finds, on average. */
  found: number;
  searchMicroseconds: Spread;
  scanMicroseconds: Spread;
}

/** How many keywords of a kind a round searches for. */
const KEYWORDS = 20;

/** From the rarest keywords to those of nearly every item. */
const kinds: Record<Text, Record<string, (index: number) => string>> = {
  ascii: {
    'in none': index => nameOf('ascii', NO_ITEM + index),
    'in one item': index => nameOf('ascii', index + 1),
    'two words, each in many': () => 'generator cooling',
    'a word of most items': () => 'the',
    'one letter': () => 'a',
  },
  chinese: {
    'in none': index => nameOf('chinese', NO_ITEM + index),
    'in one item': index => nameOf('chinese', index + 1),
    'a word of most items': () => '我们',
    'one character': () => '数',
  },
};

/** Searches the news items of these catalogs by the index and by a scan in turn. */
export async function measureSearch(
  catalogDirs: Record<Text, string>,
  rounds: number,
): Promise<SearchResult[]> {
  const results: SearchResult[] = [];
  for (const text of ['ascii', 'chinese'] as const) {
    const { snapshot } = await loadCatalog(settingsFrom({ catalogDir: catalogDirs[text] }));
    if (!snapshot) throw new Error(`cannot load ${catalogDirs[text]}`);
    for (const [kind, keyword] of Object.entries(kinds[text])) {
      const keywords = Array.from({ length: KEYWORDS }, (_, index) => keyword(index));
      results.push({ what: `${kind}, ${text}`, ...measureKind(snapshot.news, keywords, rounds) });
    }
  }
  return results;
}

function measureKind(news: NewsTable, keywords: string[], rounds: number): Omit<SearchResult, 'what'> {
  const rows = [...news.id.keys()];
  const bySearch = (keyword: string) => {
    const steps = search(news, keyword, rows, () => true);
    for (;;) {
      const { done, value } = steps.next();
      if (done) return value.length;
    }
  };
  const byScan = (keyword: string) => {
    const terms = termsOf(keyword);
    return rows.filter(row => terms.every(term => news.texts[row]?.includes(term))).length;
  };
  const [searches, scans]: [number[], number[]] = [[], []];
  const warmUp = [time(bySearch, keywords), time(byScan, keywords)];
  const [found = 0, wanted = 0] = warmUp.map(({ found }) => found);
  if (found !== wanted) throw new Error(`a search finds ${found} items for ${keywords}, a scan ${wanted}`);
  for (let round = 0; round < rounds; round += 1) {
    searches.push(time(bySearch, keywords).microseconds);
    scans.push(time(byScan, keywords).microseconds);
  }
  const [searchMicroseconds, scanMicroseconds] = [spreadOf(searches), spreadOf(scans)];
  return { items: rows.length, found: found / keywords.length, searchMicroseconds, scanMicroseconds };
}

/** How many items all keywords find together, and the average time of each. */
function time(find: (keyword: string) => number, keywords: string[]) {
  const begin = performance.now();
  let found = 0;
  for (const keyword of keywords) found += find(keyword);
  return { found, microseconds: ((performance.now() - begin) * 1000) / keywords.length };
}
