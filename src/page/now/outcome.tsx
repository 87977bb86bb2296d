import type { Health } from '../../contract/health.ts';
import { HeldActions } from '../history/held-actions.tsx';
import { linkTo } from '../state/address.ts';
import { changes } from '../state/served.ts';
import { hasToken } from '../state/token.ts';
import { formatMoment, formatPercent } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';

type Attempt = NonNullable<Health['last_attempt']>;

/** One large sentence on the last save, and below it what is live since when, and what keeps other changes from it. */
export function Outcome({ health }: { health: Health }) {
  const { last_attempt: attempt, loading, catalogs, pinned, held } = health;
  const state = loading ? 'loading' : (attempt?.outcome ?? '');
  return (
    <section class="outcome" data-outcome={state} aria-live="polite">
      <h2>{loading ? progress(loading) : sentence(health)}</h2>
      <p>
        {catalogs ? liveText(catalogs) : texts.nothingServed}
        {attempt?.outcome === 'loaded' && <EachChange />}
        {attempt && <span>{texts.lastRead(formatMoment(attempt.time))}</span>}
      </p>
      {pinned && <p class="note">{texts.pinned(pinned.version, formatMoment(pinned.since))}</p>}
      <ul lang="en">
        {(held?.reasons ?? []).map(({ message }) => (
          <li key={message} class="as-is">
            {message}
          </li>
        ))}
        {health.reasons.map(reason => (
          <li key={reason}>{reason}</li>
        ))}
      </ul>
      {held && hasToken.value && <HeldActions version={held.version} />}
    </section>
  );
}

function liveText({ version, loaded, files }: NonNullable<Health['catalogs']>) {
  const rows = files.reduce((sum, file) => sum + file.rows, 0);
  return (
    <>
      <span>{texts.liveSince(formatMoment(loaded))}</span>
      <span>{texts.inFiles(texts.rows(rows), texts.files(files.length))}</span>
      <span>{texts.version(version)}</span>
    </>
  );
}

/** The way to what the served set changed: with the token, all of it. */
function EachChange() {
  const from = changes.value?.from;
  if (!from) return null;
  const asked = hasToken.value ? { from, to: 'served' } : {};
  return (
    <span>
      <a href={linkTo('history', asked)}>{texts.eachChange}</a>
    </span>
  );
}

function progress({ rows, percent }: NonNullable<Health['loading']>): string {
  return rows === 0 ? texts.waiting : texts.reading(formatPercent(percent));
}

function sentence({ last_attempt: attempt, catalogs, held }: Health): string {
  if (!attempt) return texts.nothingChecked;
  const errors = texts.errors(attempt.errors);
  switch (attempt.outcome) {
    case 'loaded':
      return attempt.changes === undefined ? texts.live : texts.liveChanges(changesOf(attempt));
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

/** What visitors see changed, such as `3 prices changed, 1 news item added`; of other changes, what the service says. */
function changesOf({ changes: said = '' }: Attempt): string {
  const counts = (changes.value?.catalogs ?? []).flatMap(({ catalog, ...counts }) =>
    (['added', 'removed', 'changed'] as const).flatMap(kind =>
      counts[kind] > 0 ? [texts[kind](texts.catalogs[catalog](counts[kind]))] : [],
    ),
  );
  return counts.join(texts.comma) || said;
}
