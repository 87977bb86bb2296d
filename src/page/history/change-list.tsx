import type { Change, Changes } from '../../contract/changes.ts';
import { Pager } from '../parts/pager.tsx';
import { formatChange } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';

type Listed = Pick<Change, 'catalog' | 'change' | 'key' | 'columns'>;

/** Changes of rows, each with the values before and after. */
export function ChangeList({
  list,
  pagination,
  limit,
}: Pick<Changes, 'pagination'> & { list: readonly Listed[]; limit: number }) {
  return (
    <>
      <p class="count" role="status">
        {pagination.total === 0 ? texts.noChanges : texts.changes(pagination.total)}
      </p>
      {list.length > 0 && (
        <table class="changes">
          <thead>
            <tr>
              <th scope="col">{texts.catalog}</th>
              <th scope="col">{texts.rowHeading}</th>
              <th scope="col">{texts.change}</th>
            </tr>
          </thead>
          <tbody>
            {list.map(item => (
              <ChangeRow key={item.catalog + JSON.stringify(item.key)} item={item} />
            ))}
          </tbody>
        </table>
      )}
      <Pager pagination={pagination} limit={limit} />
    </>
  );
}

function ChangeRow({ item: { catalog, change, key, columns } }: { item: Listed }) {
  const isChanged = change === 'changed';
  return (
    <tr>
      <td>{texts.catalogNames[catalog]}</td>
      <td>
        {Object.entries(key).map(([name, id]) => (
          <span key={name} class="pair">
            {name} {id}
          </span>
        ))}
      </td>
      <td>
        <strong>{texts.changeKinds[change]}</strong>
        <ul>
          {columns.map(({ column, from, to, percent }) => (
            <li key={column} dir="auto">
              {column}: {isChanged && `${textOf(from)} → `}
              {textOf(to)}
              {percent !== undefined && ` (${formatChange(percent)})`}
            </li>
          ))}
        </ul>
      </td>
    </tr>
  );
}

function textOf(value: Listed['columns'][number]['to']): string {
  return value === null ? texts.noValue : String(value);
}
