import { useMemo } from 'preact/hooks';
import type { CatalogRow } from '../../contract/page.ts';
import { linkTo } from '../state/address.ts';
import { preview } from '../state/preview.ts';
import { revision } from '../state/served.ts';
import { useAnswer } from '../state/use-answer.ts';
import { formatMoment } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';

/** How many events the strip shows. */
const SHOWN = 8;

type TimeColumn = 'publish_time' | 'unpublish_time';

/** What will appear and vanish next, the soonest first, as of each refresh. It needs the token. */
export function Calendar() {
  const now = useMemo(() => new Date().toISOString().slice(0, 19), [revision.value]);
  const events = [...useEvents('publish_time', now), ...useEvents('unpublish_time', now)]
    .sort((one, other) => one.time - other.time)
    .slice(0, SHOWN);
  if (events.length === 0) return null;
  return (
    <section aria-labelledby="calendar">
      <h3 id="calendar">{texts.calendar}</h3>
      <ol class="calendar">
        {events.map(({ time, column, row }) => (
          <li key={`${column} ${row.id}`}>
            <time>{formatMoment(new Date(time * 1000))}</time>
            <span class="mark">{texts.events[column]}</span>
            <a href={linkTo('news', { item: String(row.id), at: instantOf(time, column) })} dir="auto">
              {row.title}
            </a>
          </li>
        ))}
      </ol>
    </section>
  );
}

/** The rows with a later time in a column. */
function useEvents(column: TimeColumn, now: string) {
  const query = { catalog: 'news', sort: column, order: 'desc', limit: '100' };
  const answer = useAnswer('overview/rows', query, preview.value || `${now}Z`);
  const isLater = ({ row }: CatalogRow) => Number(row[column] ?? 0) > Date.parse(`${now}Z`) / 1000;
  const isShown = ({ state }: CatalogRow) => state !== 'hidden';
  const rows = (answer?.list ?? []).filter(item => isLater(item) && isShown(item));
  return rows.map(({ row }) => ({ time: Number(row[column]), column, row }));
}

/** When the item can be seen: from its time on, or until a second before. */
function instantOf(time: number, column: TimeColumn): string {
  return String(column === 'publish_time' ? time : time - 1);
}
