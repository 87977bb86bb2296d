import type { Overview } from '../../contract/page.ts';
import { texts } from '../texts/texts.ts';

/** The most read news items, with bars relative to the first. */
export function MostRead({ news }: { news: Overview['most_read'] }) {
  const most = news[0]?.read ?? 1;
  return (
    <section aria-labelledby="most-read">
      <h2 id="most-read">{texts.mostRead}</h2>
      {news.length === 0 && <p>{texts.nothingRead}</p>}
      <ol class="ranking">
        {news.map(({ id, title, read }) => (
          <li key={id}>
            <span class="title" dir="auto">
              {title}
            </span>
            <span class="read">{texts.reads(read)}</span>
            <span class="bar" aria-hidden="true" style={{ '--share': String(read / most) }} />
          </li>
        ))}
      </ol>
    </section>
  );
}
