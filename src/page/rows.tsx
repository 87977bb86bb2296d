import type { CatalogRow, CatalogRowsPage } from '../contract/overview.ts';
import { catalogLabels, formatPlace, formatValue, plural } from './format.ts';
import { chosenOf, Pager, Picker, SearchField } from './parts/fields.tsx';
import { Head, Scrolling, View, Waiting } from './parts/view.tsx';
import { query } from './state/address.ts';
import { useAnswer } from './state/ask.ts';

const LIMIT = 20;

const catalogs = Object.entries(catalogLabels).map(([value, text]) => ({ value, text }));
const filters = [
  { value: '', text: 'all rows' },
  { value: 'changed', text: 'changed by the last version' },
  { value: 'problems', text: 'with problems' },
];

export function Rows() {
  const catalog = chosenOf('catalog', catalogs);
  return (
    <View name="rows">
      <search class="fields">
        <Picker name="catalog" label="Catalog" options={catalogs} />
        <SearchField label="Text in the row" />
        <Picker name="only" label="Show" options={filters} />
      </search>
      <RowsOf key={catalog} catalog={catalog} />
    </View>
  );
}

function RowsOf({ catalog }: { catalog: string }) {
  const { keyword = '', page = '1' } = query.value;
  const only = chosenOf('only', filters);
  const answer = useAnswer('overview/rows', { catalog, keyword, only, page, limit: String(LIMIT) });
  if (!answer) return <Waiting />;
  const { pagination } = answer;
  const name = catalogs.find(({ value }) => value === catalog)?.text;
  return (
    <>
      <p class="count" role="status">
        {pagination.total === 0 ? 'Nothing found.' : plural(pagination.total, 'row')}
      </p>
      {answer.list.length > 0 && <RowTable {...answer} label={`Catalog: ${name}`} />}
      <Pager pagination={pagination} limit={LIMIT} />
    </>
  );
}

function RowTable({ columns, list, label }: Pick<CatalogRowsPage, 'columns' | 'list'> & { label: string }) {
  return (
    <Scrolling label={label} direction="wide">
      <table class="rows" aria-label={label}>
        <Head names={['Place', ...columns]} />
        <tbody>
          {list.map(item => (
            <tr key={JSON.stringify(item.place) + item.row.id}>
              <th scope="row">
                <PlaceOf {...item} />
              </th>
              {columns.map(column => (
                <td key={column}>
                  <Cell column={column} item={item} />
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </Scrolling>
  );
}

function PlaceOf({ place, change, problems }: CatalogRow) {
  return (
    <>
      <code>{place && formatPlace(place)}</code>
      {change === 'added' && <small class="mark">new</small>}
      {problems !== undefined && <small class="mark">{plural(problems, 'problem')}</small>}
    </>
  );
}

/** A value, the name that it stands for, and the former value if the last version changed it. */
function Cell({ column, item: { row, names, was } }: { column: string; item: CatalogRow }) {
  const name = names?.[column];
  const before = was?.[column];
  return (
    <span class={before === undefined ? undefined : 'changed'}>
      <span dir="auto">{formatValue(column, row[column])}</span>
      {name !== undefined && <small dir="auto">{name}</small>}
      {before !== undefined && <small>before {formatValue(column, before) || 'nothing'}</small>}
    </span>
  );
}
