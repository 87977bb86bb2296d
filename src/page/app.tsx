import type { ComponentType } from 'preact';
import { formatMoment } from './format.ts';
import { History } from './history.tsx';
import { News } from './news.tsx';
import { Now } from './now.tsx';
import { DropZone } from './parts/drop-zone.tsx';
import { Footer } from './parts/footer.tsx';
import { Instant } from './parts/instant.tsx';
import { Keys } from './parts/keys.tsx';
import { Prices } from './prices.tsx';
import { Rows } from './rows.tsx';
import { linkTo, type ViewName, view, viewNames } from './state/address.ts';
import { away } from './state/away.ts';
import { preview } from './state/preview.ts';
import { texts } from './texts.ts';
import { Try } from './try.tsx';

const views: Record<ViewName, ComponentType> = {
  now: Now,
  prices: Prices,
  news: News,
  rows: Rows,
  history: History,
  try: Try,
};

/** The whole page: where to go, whether the service answers, and the view of the address. */
export function App() {
  const View = views[view.value];
  document.title = `${texts.views[view.value]} · Vitrine`;
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        {texts.skip}
      </button>
      <header>
        <h1>Vitrine</h1>
        <nav aria-label={texts.viewsLabel}>
          {viewNames.map(name => (
            <a
              key={name}
              href={linkTo(name, { at: preview.value })}
              aria-current={name === view.value ? 'page' : undefined}
            >
              {texts.views[name]}
            </a>
          ))}
        </nav>
      </header>
      <p id="away" role="alert">
        {awayText()}
      </p>
      <Instant />
      <DropZone />
      <main id="main" tabIndex={-1}>
        <View key={view.value} />
      </main>
      <Footer />
      <Keys />
    </>
  );
}

function awayText(): string {
  if (!away.value) return '';
  const { since, refusal } = away.value;
  const time = formatMoment(since);
  return refusal === undefined ? texts.away(time) : texts.refused(refusal, time);
}
