import { ChangeList } from '../history/change-list.tsx';
import { Comparison } from '../history/comparison.tsx';
import { TokenForm } from '../history/token-form.tsx';
import { Versions } from '../history/versions.tsx';
import { JsonLink } from '../parts/json-link.tsx';
import { query } from '../state/address.ts';
import { hasToken } from '../state/token.ts';
import { useAnswer } from '../state/use-answer.ts';
import { texts } from '../texts/texts.ts';

/** The versions that were live, what changed from one to another, and the way back. */
export function History() {
  return (
    <section aria-labelledby="history">
      <h2 id="history">{texts.views.history}</h2>
      <Shown />
      <TokenForm />
    </section>
  );
}

function Shown() {
  if (!hasToken.value) return <LastChange />;
  return query.value.from || query.value.to ? <Comparison /> : <Versions />;
}

const LIMIT = 10;

/** What everybody may know. */
function LastChange() {
  const asked = { page: query.value.page ?? '1', limit: String(LIMIT) };
  const answer = useAnswer('changes', asked);
  return (
    <>
      <h3>{texts.lastChange}</h3>
      {answer && <ChangeList {...answer} limit={LIMIT} />}
      <JsonLink path="changes" query={asked} />
    </>
  );
}
