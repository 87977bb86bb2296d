import type { Files } from '../catalogs.ts';

/** What is served: the last scheduled change that has come, and the last set of files. */
export interface State {
  moment: number;
  release: number;
}

/** A question, and what distinguishes the states in its answers. */
export interface Question {
  url: string;
  /** Of the data of an answer. */
  signatureOf(data: Data): string;
  /** As it ought to be in this state. */
  expected(state: State): string;
}

type Row = Record<string, unknown>;
interface Data {
  list: Row[];
  pagination: { total: number };
  price: number;
}

interface Item {
  id: number;
  title: string;
  type_id: number;
  create_time: number;
  publish_time: number;
  unpublish_time: number;
}

const PRODUCTS = [1, 2, 3, 4, 5];
const TYPES = [1, 2, 3];
const LASTING = 20;
/** One change out of so many is an item that vanishes. */
const VANISHING = 4;

/**
 * A shop whose answers show in which state they were made. `changes` news items appear or vanish at `moments` moments from
 * `begin` (Unix seconds), `gap` seconds apart. Each release of its files changes a price, a product or a news item.
 */
export function changingShop(changes: number, moments: number, begin: number, gap: number) {
  const timeOf = (moment: number) => begin + moment * gap;
  const items: Item[] = Array.from({ length: LASTING }, (_, index) => ({
    id: index + 1,
    title: `Lasting ${index + 1}`,
    type_id: TYPES[index % TYPES.length] ?? 1,
    create_time: 1_700_000_000 + index,
    publish_time: 1_700_000_000,
    unpublish_time: 0,
  }));
  const scheduled: Item[] = [];
  for (let change = 0; change < changes; change += 1) {
    const moment = Math.floor((change * moments) / changes);
    const vanishing = scheduled.find(
      ({ unpublish_time, publish_time }) => unpublish_time === 0 && publish_time < timeOf(moment),
    );
    if (change % VANISHING === VANISHING - 1 && vanishing) {
      vanishing.unpublish_time = timeOf(moment);
      continue;
    }
    const id = 1_000 + change;
    const type_id = TYPES[change % TYPES.length] ?? 1;
    const create_time = 1_700_100_000 + change;
    scheduled.push({
      id,
      title: `Item ${id}`,
      type_id,
      create_time,
      publish_time: timeOf(moment),
      unpublish_time: 0,
    });
  }
  items.push(...scheduled);

  /** The last release up to this one that changed what `kind` stands for. */
  const lastOf = (release: number, kind: number) => release - ((((release - kind) % 3) + 3) % 3);
  const nameOf = (release: number) => `Product of ${Math.max(0, lastOf(release, 1))}`;
  const titleOf = (release: number) => `Lasting of ${Math.max(0, lastOf(release, 2))}`;
  const priceOf = (product: number, release: number) => {
    for (let last = release; last > 0; last -= 1)
      if (last % 3 === 0 && (last / 3) % 5 === product % 5) return 10 + last;
    return 10;
  };
  const files = (release: number): Files => ({
    'products.json': PRODUCTS.map(id => ({ id, name: id === 1 ? nameOf(release) : `Product ${id}` })),
    'configurations.json': PRODUCTS.map(id => ({ id, product_id: id, name: `C${id}`, cpu: 1, memory: 512 })),
    'durations.json': [{ id: 1, name: 'Monthly', num: 1, unit: 'month' }],
    'prices.json': PRODUCTS.map(id => ({
      ...{ id, product_id: id, rel_id: id, duration_id: 1, price: priceOf(id, release) },
    })),
    'news_types.json': TYPES.map(id => ({ id, name: `Type ${id}` })),
    'news.json': items.map(item => ({
      ...item,
      content: 'text',
      title: item.id === 1 ? titleOf(release) : item.title,
    })),
  });

  const news = (query: string, isIn: (item: Item) => boolean): Question => {
    const lists = new Map<number, Item[]>();
    const listAt = (moment: number) => {
      const now = timeOf(moment);
      const list = items
        .filter(item => isIn(item) && item.publish_time <= now)
        .filter(({ unpublish_time }) => unpublish_time === 0 || now < unpublish_time)
        .sort((one, other) => other.create_time - one.create_time);
      lists.set(moment, list);
      return list;
    };
    return {
      url: `/api/news?${query}`,
      signatureOf: ({ list, pagination }) =>
        `${pagination.total} ${list.map(({ id, title }) => `${id} ${title}`).join()}`,
      expected({ moment, release }) {
        const all = lists.get(moment) ?? listAt(moment);
        const title = (item: Item) => (item.id === 1 ? titleOf(release) : item.title);
        return `${all.length} ${all
          .slice(0, 20)
          .map(item => `${item.id} ${title(item)}`)
          .join()}`;
      },
    };
  };
  const questions: Question[] = [
    {
      url: '/api/products',
      signatureOf: ({ list }) => String(list[0]?.name),
      expected: ({ release }) => nameOf(release),
    },
    ...PRODUCTS.flatMap((id): Question[] => [
      {
        url: `/api/recommend-config?product_id=${id}&include_durations=true`,
        signatureOf: ({ list }) => JSON.stringify(list[0]?.durations),
        expected: ({ release }) =>
          JSON.stringify([
            { duration_id: 1, name: 'Monthly', num: 1, unit: 'month', price: priceOf(id, release) },
          ]),
      },
      {
        url: `/api/recommend-config/price?product_id=${id}&recommend_config_id=${id}&duration_id=1`,
        signatureOf: ({ price }) => String(price),
        expected: ({ release }) => String(priceOf(id, release)),
      },
    ]),
    news('', () => true),
    ...TYPES.map(type => news(`type_id=${type}`, ({ type_id }) => type_id === type)),
    news('keyword=lasting', ({ id }) => id <= LASTING),
    news('ids=1,2,3', ({ id }) => id <= 3),
  ];
  return { files, questions, timeOf };
}
