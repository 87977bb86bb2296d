import type { NewsCard } from '../../contract/page.ts';
import { formatDay } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';

/** When a news item was written, its category, and how often it was read. */
export function Facts({
  item: { id, create_time_formatted: time, read },
  category,
}: {
  item: Pick<NewsCard, 'id' | 'create_time_formatted' | 'read'>;
  category: string | undefined;
}) {
  return (
    <p class="facts">
      <time dateTime={time}>{formatDay(time)}</time>
      {category && <span>{category}</span>}
      <span>{texts.reads(read)}</span>
      <span>{texts.id(id)}</span>
    </p>
  );
}
