/** A question to a catalog, whatever the addresses are by which a server is asked. */
export type Question =
  | { about: 'price'; product_id: number; rel_id: number; duration_id: number }
  | { about: 'configurations'; product_id: number }
  | { about: 'news'; page: number; limit: number }
  | { about: 'item'; id: number }
  | { about: 'keyword'; keyword: string };

/** The addresses of Vitrine's contract, which most servers here answer. */
export function pathOf(question: Question): string {
  switch (question.about) {
    case 'price': {
      const { product_id, rel_id, duration_id } = question;
      const query = { product_id, recommend_config_id: rel_id, duration_id };
      return `/api/recommend-config/price?${queryOf(query)}`;
    }
    case 'configurations': {
      const query = { product_id: question.product_id, include_durations: true, limit: 20 };
      return `/api/recommend-config?${queryOf(query)}`;
    }
    case 'news':
      return `/api/news?${queryOf({ page: question.page, limit: question.limit })}`;
    case 'item':
      return `/api/news/${question.id}`;
    case 'keyword':
      return `/api/news?${queryOf({ keyword: question.keyword, limit: 10 })}`;
  }
}

/** The same questions as one asks json-server, whose addresses follow from the names of the columns. */
export function jsonServerPath(question: Question): string {
  switch (question.about) {
    case 'price': {
      const { product_id, rel_id, duration_id } = question;
      return `/prices?${queryOf({ product_id, rel_id, duration_id })}`;
    }
    case 'configurations':
      return `/configurations?${queryOf({ product_id: question.product_id, _embed: 'prices', _limit: 20 })}`;
    case 'news':
      return `/news?${queryOf({ _page: question.page, _limit: question.limit })}&${NEWEST_FIRST}`;
    case 'item':
      return `/news/${question.id}`;
    case 'keyword':
      return `/news?${queryOf({ q: question.keyword, _limit: 10 })}&${NEWEST_FIRST}`;
  }
}

const NEWEST_FIRST = '_sort=create_time&_order=desc';

function queryOf(parameters: Record<string, string | number | boolean>): string {
  const texts = Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]);
  return new URLSearchParams(texts).toString();
}
