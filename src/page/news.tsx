import type { NewsEvent } from '../contract/overview.ts';
import { Article, Card } from './article.tsx';
import { formatMoment, plural } from './format.ts';
import { chosenOf, Pager, Picker, SearchField } from './parts/fields.tsx';
import { View, Waiting } from './parts/view.tsx';
import { linkTo, query } from './state/address.ts';
import { useAnswer, useInstant } from './state/ask.ts';
import { overview } from './state/served.ts';
import { hasToken } from './state/token.ts';

const LIMIT = 8;

/** The published news: one item, or a list. */
export function News() {
  if (!overview.value) return <Waiting />;
  const names = new Map(overview.value.news_types.map(({ id, name }) => [id, name]));
  const item = Number(query.value.item);
  if (item > 0) return <Article key={item} id={item} categories={names} />;
  return (
    <View name="news">
      <List categories={names} />
    </View>
  );
}

function List({ categories }: { categories: ReadonlyMap<number, string> }) {
  const options = [
    { value: '', text: 'All' },
    ...Array.from(categories, ([id, name]) => ({ value: String(id), text: name })),
  ];
  const { keyword = '', page = '1' } = query.value;
  const type_id = chosenOf('type', options);
  const asked = { keyword, type_id, page, limit: String(LIMIT), include: 'img,type_id' };
  const answer = useAnswer('api/news', asked);
  return (
    <>
      <search class="fields">
        <SearchField label="Search" />
        {categories.size > 0 && <Picker name="type" label="Category" options={options} />}
      </search>
      {!answer && <Waiting />}
      {answer && (
        <>
          <p class="count" role="status">
            {answer.pagination.total === 0 ? 'No news.' : plural(answer.pagination.total, 'item')}
          </p>
          <div>
            {answer.list.map(item => (
              <Card key={item.id} item={item} category={categories.get(item.type_id ?? 0)} />
            ))}
          </div>
          <Pager pagination={answer.pagination} limit={LIMIT} />
          {hasToken.value && <Calendar />}
        </>
      )}
    </>
  );
}

/** What will appear and disappear next, the soonest first. Needs the token. */
function Calendar() {
  const events = useAnswer('overview', {}, useInstant())?.next ?? [];
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="calendar">
      <h3 id="calendar">Next</h3>
      <ol class="calendar">
        {events.map(next => (
          <li key={`${next.event} ${next.id}`}>
            <time>{formatMoment(new Date(next.time * 1000))}</time>
            <span class="mark">{next.event}</span>
            <a href={linkTo('news', { item: String(next.id), at: instantOf(next) })} dir="auto">
              {next.title}
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** A time at which the item is visible: its `publish_time`, or a second before its `unpublish_time`. */
function instantOf({ time, event }: NewsEvent): string {
  return String(event === 'appears' ? time : time - 1);
}
