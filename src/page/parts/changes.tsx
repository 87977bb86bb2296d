import type { Change, Changes } from '../../contract/changes.ts';
import { catalogLabels, formatChange, formatValue, plural } from '../format.ts';
import { query } from '../state/address.ts';
import { useAnswer, useInstant } from '../state/ask.ts';
import { firstChanges } from '../state/served.ts';
import { Pager } from './fields.tsx';
import { Head, Scrolling } from './view.tsx';

export function LastChange() {
  const { page = '1' } = query.value;
  const answer = useAnswer('changes', { ...firstChanges, page }, useInstant());
  if (!answer || answer.pagination.total === 0) return null;
  return (
    <section aria-labelledby="last-change">
      <h2 id="last-change">What the last version changed</h2>
      <ChangeList {...answer} />
      <Pager pagination={answer.pagination} limit={Number(firstChanges.limit)} />
    </section>
  );
}

const keyColumns = ['id', 'product_id', 'rel_id', 'duration_id', 'valid_from'] as const;

export function ChangeList({ list, pagination }: Pick<Changes, 'list' | 'pagination'>) {
  return (
    <>
      <p class="count" role="status">
        {pagination.total === 0 ? 'No changes.' : plural(pagination.total, 'change')}
      </p>
      {list.length > 0 && (
        <Scrolling label={plural(pagination.total, 'change')}>
          <table class="changes">
            <Head names={['Catalog', 'Row', 'Change']} />
            <tbody>
              {list.map(item => (
                <ChangeRow key={item.catalog + JSON.stringify(item.key)} item={item} />
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
    </>
  );
}

function ChangeRow({ item: { catalog, change, key, names = {}, columns } }: { item: Change }) {
  const named: Record<string, string | undefined> = names;
  const ids = keyColumns.filter(column => key[column] !== undefined);
  return (
    <tr>
      <td>{catalogLabels[catalog]}</td>
      <td>
        {ids.map(column => (
          <span key={column} class="pair">
            {named[column] !== undefined && <span dir="auto">{named[column]}</span>}{' '}
            <small>
              {column} {formatValue(column, key[column])}
            </small>
          </span>
        ))}
      </td>
      <td>
        <strong>{change}</strong>
        <ul>
          {columns
            .filter(({ column }) => change === 'changed' || !(column in key))
            .map(item => (
              <li key={item.column} dir="auto">
                {item.column}: {valuesOf(change, item)}
              </li>
            ))}
        </ul>
      </td>
    </tr>
  );
}

function valuesOf(
  change: Change['change'],
  { column, from, to, percent }: Change['columns'][number],
): string {
  const [before, after] = [from, to].map(value => formatValue(column, value) || 'nothing');
  if (change === 'added') return String(after);
  if (change === 'removed') return String(before);
  return `${before} → ${after}${percent === undefined ? '' : ` (${formatChange(percent)})`}`;
}
