import type { CatalogRow, CatalogRowsPage } from '../../contract/page.ts';
import { Scrolling } from '../parts/scrolling.tsx';
import { choose, query } from '../state/address.ts';
import { formatPlace } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';
import { Cell } from './cell.tsx';

/** Rows with their place in the file, and with what the last version did to them. */
export function RowTable({
  columns,
  list,
  label,
}: Pick<CatalogRowsPage, 'columns' | 'list'> & { label: string }) {
  return (
    <Scrolling label={label} direction="wide">
      <table class="rows" aria-label={label}>
        <thead>
          <tr>
            <th scope="col">{texts.place}</th>
            {columns.map(column => (
              <ColumnHeading key={column} column={column} />
            ))}
          </tr>
        </thead>
        <tbody>
          {list.map(item => (
            <tr key={JSON.stringify(item.place) + item.row.id} data-state={item.state}>
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

/** The heading of a column, which sorts by it: ascending, then descending, then as in the file. */
function ColumnHeading({ column }: { column: string }) {
  const { sort, order } = query.value;
  const isSorted = sort === column;
  const direction = !isSorted ? 'none' : order === 'desc' ? 'descending' : 'ascending';
  const sortBy = () => {
    if (direction === 'none') choose({ sort: column, order: '', page: '' });
    else if (direction === 'ascending') choose({ order: 'desc', page: '' });
    else choose({ sort: '', order: '', page: '' });
  };
  return (
    <th scope="col" aria-sort={direction}>
      <button type="button" class="quiet" title={texts.sortBy(column)} onClick={sortBy}>
        {column}
        <span aria-hidden="true">{{ none: '', ascending: ' ↑', descending: ' ↓' }[direction]}</span>
      </button>
    </th>
  );
}

function PlaceOf({ place, state, change, problems }: CatalogRow) {
  return (
    <>
      <code>{place && formatPlace(place)}</code>
      {state && <small class="mark">{texts.states[state]}</small>}
      {change === 'added' && <small class="mark">{texts.addedRow}</small>}
      {problems !== undefined && <small class="mark">{texts.rowProblems(problems)}</small>}
    </>
  );
}
