import type { ComponentType } from 'preact';
import { formatMoment } from './format.ts';
import { History } from './history.tsx';
import { News } from './news.tsx';
import { Now } from './now.tsx';
import { Prices } from './prices.tsx';
import { Rows } from './rows.tsx';
import { choose, linkTo, type ViewName, view, viewNames } from './state/address.ts';
import { away } from './state/ask.ts';
import { health, overview } from './state/served.ts';
import { hasToken, preview } from './state/token.ts';
import { texts } from './texts.ts';
import { DropZone, Try } from './try.tsx';

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

/** What the field can show; an address may have other spellings of a time. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** With the token: as of when the page shows the site, in the time zone of the site, or the set that is held back. */
function Instant() {
  if (!hasToken.value) return null;
  const show = (at: string) => () => choose({ at, page: '' });
  return (
    <aside class="instant fields" aria-label={texts.preview} data-preview={preview.value !== ''}>
      <span>
        <label for="instant">{texts.instant}</label>
        <input
          id="instant"
          type="datetime-local"
          value={LOCAL.test(preview.value) ? preview.value : ''}
          onChange={({ currentTarget: { value } }) => show(value)()}
        />
      </span>
      {health.value?.held && preview.value !== 'held' && (
        <button type="button" onClick={show('held')}>
          {texts.previewHeld}
        </button>
      )}
      {preview.value !== '' && (
        <>
          <button type="button" onClick={show('')}>
            {texts.previewEnd}
          </button>
          <p role="status">{preview.value === 'held' ? texts.previewOfHeld : texts.previewOf}</p>
        </>
      )}
    </aside>
  );
}
