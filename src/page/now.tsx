import type { Health } from '../contract/health.ts';
import type { Overview } from '../contract/overview.ts';
import { formatMoment, formatPercent } from './format.ts';
import { Publish, Unpin } from './history.tsx';
import { LastChange } from './parts/changes.tsx';
import { Problems } from './parts/problems.tsx';
import { Sentences, useTitle, Waiting } from './parts/view.tsx';
import { health, overview } from './state/served.ts';
import { hasToken } from './state/token.ts';
import { plural, texts } from './texts.ts';

/** What is live since when, what became of the last save, and what is wrong with it. */
export function Now() {
  if (!health.value) return <Waiting />;
  const { last_attempt: attempt, catalogs, loading, pinned } = health.value;
  return (
    <>
      <Outcome health={health.value} />
      {attempt && !pinned && attempt.problems.length > 0 && <Problems {...attempt} />}
      {!catalogs && !loading && <Beginning />}
      {catalogs && <LastChange />}
      {overview.value && <MostRead news={overview.value.most_read} />}
    </>
  );
}

/** One large sentence on the last save, and below it what is live since when, and what keeps other changes from it. */
function Outcome({ health }: { health: Health }) {
  const { last_attempt: attempt, loading, catalogs, pinned, held } = health;
  const state = loading ? 'loading' : pinned ? 'held' : (attempt?.outcome ?? '');
  const headline = sentence(health);
  useTitle(headline);
  return (
    <section class="outcome" data-outcome={state} aria-live="polite">
      <h2 tabIndex={-1}>{headline}</h2>
      <p>
        {catalogs ? liveText(catalogs) : texts.nothingServed}
        {attempt && <span>{texts.lastRead(formatMoment(attempt.time))}</span>}
      </p>
      {pinned && <p class="note">{hasToken.value ? <Unpin /> : texts.unpinWords}</p>}
      <Sentences all={[...(held?.reasons ?? []), ...health.reasons.map(message => ({ message }))]} />
      {held && hasToken.value && <Publish version={held.version} />}
    </section>
  );
}

function Beginning() {
  return (
    <section aria-labelledby="begin">
      <h2 id="begin">{texts.begin}</h2>
      <ul class="steps">
        {texts.beginSteps.map(step => (
          <li key={step}>{step}</li>
        ))}
      </ul>
    </section>
  );
}

function liveText({ version, loaded, files }: NonNullable<Health['catalogs']>) {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return (
    <>
      <span>{texts.liveSince(formatMoment(loaded))}</span>
      <span>{texts.inFiles(plural(rows, 'row'), plural(files.length, 'file'))}</span>
      <span>{texts.version(version)}</span>
    </>
  );
}

/** The truth about the next save: while a version is pinned, nothing goes live, whatever came of the last save before. */
function sentence({ last_attempt: attempt, catalogs, held, pinned, loading }: Health): string {
  if (loading) return loading.rows === 0 ? texts.settling : texts.reading(formatPercent(loading.percent));
  if (pinned?.saved !== undefined) return texts.waiting(pinned.version, formatMoment(pinned.saved));
  if (pinned) return texts.pinned(pinned.version, formatMoment(pinned.since));
  if (!attempt) return texts.nothingChecked;
  const errors = plural(attempt.errors, 'error');
  switch (attempt.outcome) {
    case 'loaded':
      return attempt.changes === undefined ? texts.live : texts.liveChanges(attempt.changes);
    case 'unchanged':
      return texts.unchanged;
    case 'held':
      return texts.held(held?.reasons[0]?.message.split(': ')[0] ?? '');
    case 'pending':
      return texts.pending(errors);
    case 'failed':
      return texts.failed(errors, catalogs ? formatMoment(catalogs.loaded) : undefined);
  }
}

/** The most read news items, with bars relative to the first. */
function MostRead({ news }: { news: Overview['most_read'] }) {
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
            <span class="read">{plural(read, 'read')}</span>
            <span class="bar" aria-hidden="true" style={{ '--share': String(read / most) }} />
          </li>
        ))}
      </ol>
    </section>
  );
}
