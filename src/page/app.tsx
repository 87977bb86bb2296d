import type { ComponentType } from 'preact';
import { formatMoment } from './format.ts';
import { History } from './history.tsx';
import { News } from './news.tsx';
import { Now } from './now.tsx';
import { DropZone } from './parts/drop-zone.tsx';
import { Instant } from './parts/instant.tsx';
import { Prices } from './prices.tsx';
import { Rows } from './rows.tsx';
import { linkTo, type ViewName, view, viewNames } from './state/address.ts';
import { away } from './state/ask.ts';
import { health, overview } from './state/served.ts';
import { preview } from './state/token.ts';
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
      {health.value && <Footer />}
    </>
  );
}

function awayText(): string {
  if (!away.value) return '';
  const { since, refusal } = away.value;
  const time = formatMoment(since);
  return refusal === undefined ? texts.away(time) : texts.refused(refusal, time);
}

/** Links to what is not on the page, and the version of Vitrine. */
function Footer() {
  const { feeds = [], version = '' } = overview.value ?? {};
  return (
    <footer>
      <nav aria-label={texts.more}>
        <a href="documentation">{texts.documentation}</a>
        <a href="health">{texts.health}</a>
        {feeds.map(path => (
          <a key={path} href={path}>
            {texts.feed(String(path.split('.').at(-1)))}
          </a>
        ))}
      </nav>
      <p>Vitrine {version}</p>
    </footer>
  );
}
