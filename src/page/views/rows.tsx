import { JsonLink } from '../parts/json-link.tsx';
import { Pager } from '../parts/pager.tsx';
import { chosenOf, Picker } from '../parts/picker.tsx';
import { SearchField } from '../parts/search-field.tsx';
import { Downloads } from '../rows/downloads.tsx';
import { RowTable } from '../rows/row-table.tsx';
import { query } from '../state/address.ts';
import { useAnswer } from '../state/use-answer.ts';
import { texts } from '../texts/texts.ts';

const LIMIT = 20;

const catalogs = Object.entries(texts.catalogNames).map(([value, text]) => ({ value, text }));
const filters = [
  { value: '', text: texts.onlyAll },
  { value: 'changed', text: texts.onlyChanged },
  { value: 'problems', text: texts.onlyProblems },
];

/** A catalog as a table, row by row as in its files. */
export function Rows() {
  const catalog = chosenOf('catalog', catalogs);
  return (
    <section aria-labelledby="rows">
      <h2 id="rows">{texts.views.rows}</h2>
      <search class="fields">
        <Picker name="catalog" label={texts.catalog} options={catalogs} />
        <SearchField label={texts.searchRows} />
        <Picker name="only" label={texts.show} options={filters} />
      </search>
      <RowsOf key={catalog} catalog={catalog} />
    </section>
  );
}

function RowsOf({ catalog }: { catalog: string }) {
  const { keyword = '', sort = '', order = '', page = '1' } = query.value;
  const only = chosenOf('only', filters);
  const asked = { catalog, keyword, only, sort, order, page, limit: String(LIMIT) };
  const answer = useAnswer('overview/rows', asked);
  if (!answer) return null;
  const { pagination } = answer;
  return (
    <>
      <p class="count" role="status">
        {pagination.total === 0 ? texts.nothingFound : texts.rows(pagination.total)}
      </p>
      {answer.list.length > 0 && <RowTable {...answer} label={labelOf(catalog)} />}
      <Pager pagination={pagination} limit={LIMIT} />
      <Downloads query={{ catalog, keyword, only, sort, order }} />
      <JsonLink path="overview/rows" query={asked} />
    </>
  );
}

function labelOf(catalog: string): string {
  return `${texts.catalog}: ${catalogs.find(({ value }) => value === catalog)?.text}`;
}
