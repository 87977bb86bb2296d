// The page for editors and operators, at the root of the service.
//
// `address.ts` has the view and its choices, which are all in the address; `ask.ts` queries the service and keeps its last
// answers; `served.ts` polls for changes; `token.ts` has the preview token. Each view is a file here; `parts` are shared by views.
//
import type { ComponentType } from 'preact';
import { formatMoment } from './format.ts';
import { History } from './history.tsx';
import { News } from './news.tsx';
import { Now } from './now.tsx';
import { Prices } from './prices.tsx';
import { Rows } from './rows.tsx';
import { choose, headings, linkTo, type ViewName, view, viewNames } from './state/address.ts';
import { away } from './state/ask.ts';
import { health, overview } from './state/served.ts';
import { hasToken, preview } from './state/token.ts';
import { Try } from './try.tsx';

const views: Record<ViewName, ComponentType> = {
  now: Now,
  prices: Prices,
  news: News,
  rows: Rows,
  history: History,
  try: Try,
};

export function App() {
  const View = views[view.value];
  return (
    <>
      <button type="button" class="skip" onClick={() => document.getElementById('main')?.focus()}>
        Skip to the content
      </button>
      <header>
        <h1>Vitrine</h1>
        <nav aria-label="Views">
          {viewNames.map(name => (
            <a
              key={name}
              href={linkTo(name, { at: preview.value })}
              aria-current={name === view.value ? 'page' : undefined}
            >
              {headings[name]}
            </a>
          ))}
        </nav>
      </header>
      <p id="away" role="alert">
        {awayText()}
      </p>
      <Instant />
      <p class="dropping" aria-hidden="true">
        Drop the files here to check them
      </p>
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
  const what = refusal === undefined ? 'has not answered' : `has refused requests (${refusal})`;
  return `The service ${what} since ${formatMoment(since)}. This page shows the state before that.`;
}

function Footer() {
  const { feeds = [], version = '' } = overview.value ?? {};
  return (
    <footer>
      <nav aria-label="More">
        <a href="documentation">API documentation</a>
        <a href="health">Health</a>
        {feeds.map(path => (
          <a key={path} href={path}>
            Feed ({String(path.split('.').at(-1))})
          </a>
        ))}
      </nav>
      <p>Vitrine {version}</p>
    </footer>
  );
}

/** The times that the field can show. An address may have others. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** Chooses, with the token, the time at which the page shows the site, in its time zone, or the held set. */
function Instant() {
  if (!hasToken.value) return null;
  const show = (at: string) => () => choose({ at, page: '' });
  return (
    <aside class="instant fields" aria-label="Preview" data-preview={preview.value !== ''}>
      <span>
        <label for="instant">Show the site as of</label>
        <input
          id="instant"
          type="datetime-local"
          value={LOCAL.test(preview.value) ? preview.value : ''}
          onChange={({ currentTarget: { value } }) => show(value)()}
        />
      </span>
      {health.value?.held && preview.value !== 'held' && (
        <button type="button" onClick={show('held')}>
          Show what is held back
        </button>
      )}
      {preview.value !== '' && (
        <>
          <button type="button" onClick={show('')}>
            Back to what is live
          </button>
          <p role="status">
            {preview.value === 'held'
              ? 'This is a preview: what visitors would see if it went live.'
              : 'This is a preview: what visitors will see then, or saw.'}
          </p>
        </>
      )}
    </aside>
  );
}
