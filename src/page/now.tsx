import type { Health } from '../contract/health.ts';
import type { Overview } from '../contract/overview.ts';
import { formatMoment, formatPercent, plural } from './format.ts';
import { Publish, Unpin } from './history.tsx';
import { LastChange } from './parts/changes.tsx';
import { Problems } from './parts/problems.tsx';
import { Sentences, useTitle, Waiting } from './parts/view.tsx';
import { health, overview } from './state/served.ts';
import { hasToken } from './state/token.ts';

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

/** Says in a large sentence what happened to the last save, and below it what is live and what keeps changes from it. */
function Outcome({ health }: { health: Health }) {
  const { last_attempt: attempt, loading, catalogs, pinned, held } = health;
  const state = loading ? 'loading' : pinned ? 'held' : (attempt?.outcome ?? '');
  const headline = sentence(health);
  useTitle(headline);
  return (
    <section class="outcome" data-outcome={state} aria-live="polite">
      <h2 tabIndex={-1}>{headline}</h2>
      <p>
        {catalogs ? liveText(catalogs) : 'Nothing is live yet.'}
        {attempt && <span>Files read {formatMoment(attempt.time)}</span>}
      </p>
      {pinned && (
        <p class="note">
          {hasToken.value ? (
            <Unpin />
          ) : (
            "To go back to the files, your administrator runs 'vitrine unpin', or deletes the file pin that names this version."
          )}
        </p>
      )}
      <Sentences all={[...(held?.reasons ?? []), ...health.reasons.map(message => ({ message }))]} />
      {held && hasToken.value && <Publish version={held.version} />}
    </section>
  );
}

function Beginning() {
  return (
    <section aria-labelledby="begin">
      <h2 id="begin">How to begin</h2>
      <ul class="steps">
        <li>
          Save the files products, configurations, prices and news in the folder of the catalogs, each as
          .xlsx, .ods, .csv or .json, such as prices.csv; durations and news_types if you need them. One
          workbook with a sheet for each, catalog.xlsx, does as well.
        </li>
        <li>
          For files to begin with, your administrator runs 'vitrine template FOLDER': a workbook with all
          sheets, headings and an example in each.
        </li>
        <li>As soon as the files are complete, they are live, and this page says so.</li>
      </ul>
    </section>
  );
}

function liveText({ version, loaded, files }: NonNullable<Health['catalogs']>) {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return (
    <>
      <span>Live since {formatMoment(loaded)}</span>
      <span>
        {plural(rows, 'row')} in {plural(files.length, 'file')}
      </span>
      <span>version {version}</span>
    </>
  );
}

/** While a version is pinned, nothing goes live, whatever happened to the last save before. */
function sentence({ last_attempt: attempt, catalogs, held, pinned, loading }: Health): string {
  if (loading)
    return loading.rows === 0
      ? 'Files have changed: waiting until they are complete.'
      : `Reading the files, ${formatPercent(loading.percent)}.`;
  if (pinned?.saved !== undefined)
    return `What was saved at ${formatMoment(pinned.saved)} is waiting: version ${pinned.version} is pinned.`;
  if (pinned)
    return `Pinned to version ${pinned.version} since ${formatMoment(pinned.since)}: saves do not go live.`;
  if (!attempt) return 'The files have not been read yet.';
  const errors = plural(attempt.errors, 'error');
  switch (attempt.outcome) {
    case 'loaded':
      return attempt.changes === undefined ? 'All files are live.' : `${attempt.changes}.`;
    case 'unchanged':
      return 'Nothing new: the files match what is already live.';
    case 'held':
      return `Held back: ${held?.reasons[0]?.message.split(': ')[0] ?? ''}`;
    case 'pending':
      return `Not live yet: ${errors}. Waiting 10 seconds for the rest of the files.`;
    case 'failed':
      return catalogs
        ? `Not live: ${errors}. Visitors still see the catalogs of ${formatMoment(catalogs.loaded)}.`
        : `Not live: ${errors}. Nothing is live yet.`;
  }
}

function MostRead({ news }: { news: Overview['most_read'] }) {
  const most = news[0]?.read ?? 1;
  return (
    <section aria-labelledby="most-read">
      <h2 id="most-read">Most read</h2>
      {news.length === 0 && <p>No news has been read yet.</p>}
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
