import { Article } from '../news/article.tsx';
import { Calendar } from '../news/calendar.tsx';
import { Card } from '../news/card.tsx';
import { JsonLink } from '../parts/json-link.tsx';
import { Pager } from '../parts/pager.tsx';
import { chosenOf, Picker } from '../parts/picker.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { query } from '../state/address.ts';
import { overview } from '../state/served.ts';
import { hasToken } from '../state/token.ts';
import { useAnswer } from '../state/use-answer.ts';
import { texts } from '../texts/texts.ts';

const LIMIT = 8;

/** The news that visitors see: one item, or a list of them. */
export function News() {
  const names = new Map((overview.value?.news_types ?? []).map(({ id, name }) => [id, name]));
  const item = Number(query.value.item);
  return (
    <section aria-labelledby="news">
      <h2 id="news">{texts.views.news}</h2>
      {item > 0 ? <Article id={item} categories={names} /> : <List categories={names} />}
    </section>
  );
}

function List({ categories }: { categories: ReadonlyMap<number, string> }) {
  const options = [
    { value: '', text: texts.all },
    ...Array.from(categories, ([id, name]) => ({ value: String(id), text: name })),
  ];
  const { keyword = '', page = '1' } = query.value;
  const asked = { keyword, type_id: chosenOf('type', options), page, limit: String(LIMIT) };
  const answer = useAnswer('overview/news', asked);
  return (
    <>
      {hasToken.value && <Calendar />}
      <search class="fields">
        <SearchField label={texts.search} />
        {categories.size > 0 && <Picker name="type" label={texts.category} options={options} />}
      </search>
      <p class="count" role="status">
        {answer && (answer.pagination.total === 0 ? texts.noNews : texts.items(answer.pagination.total))}
      </p>
      <div>
        {answer?.list.map(item => (
          <Card key={item.id} item={item} category={categories.get(item.type_id ?? 0)} />
        ))}
      </div>
      {answer && <Pager pagination={answer.pagination} limit={LIMIT} />}
      <JsonLink path="overview/news" query={asked} />
    </>
  );
}
