import type { Attempt } from '../../contract/health.ts';
import { formatExtent, formatPlace, type Problem, plural } from '../format.ts';
import { Scrolling } from './view.tsx';

/** How many findings of a cause are shown at first. */
const SHOWN_FINDINGS = 3;

/** The problems of the last save by code, errors first, with places and remedies. */
export function Problems({ errors, warnings, problems }: Pick<Attempt, 'errors' | 'warnings' | 'problems'>) {
  const codes = new Set(problems.map(({ code }) => code));
  const rest = errors + warnings - problems.reduce((sum, { count = 1 }) => sum + count, 0);
  const counts = [errors > 0 && plural(errors, 'error'), warnings > 0 && plural(warnings, 'warning')];
  return (
    <section class="problems" aria-labelledby="problems">
      <h2 id="problems">{counts.filter(Boolean).join(', ')}</h2>
      <Scrolling label="Problems">
        {Array.from(codes, code => (
          <Cause key={code} code={code} problems={problems.filter(problem => problem.code === code)} />
        ))}
      </Scrolling>
      {rest > 0 && <p class="note">{plural(rest, 'more problem')} not shown</p>}
    </section>
  );
}

function Cause({ code, problems }: { code: string; problems: readonly Problem[] }) {
  const severity = problems.some(problem => problem.severity === 'error') ? 'error' : 'warning';
  const messages = new Set(problems.map(({ message }) => message));
  const items = Array.from(messages, message => (
    <li key={message}>
      <div class="places">
        {problems
          .filter(problem => problem.message === message)
          .map(placesOf)
          .map(place => (
            <code key={place}>{place}</code>
          ))}
      </div>
      <p class="message">{message}</p>
    </li>
  ));
  return (
    <div class="cause" data-severity={severity}>
      <h3>
        <span class="severity">{severity}</span> <code>{code}</code>
      </h3>
      <ul>{items.slice(0, SHOWN_FINDINGS)}</ul>
      {items.length > SHOWN_FINDINGS && (
        <details>
          <summary>{items.length - SHOWN_FINDINGS} more</summary>
          <ul>{items.slice(SHOWN_FINDINGS)}</ul>
        </details>
      )}
    </div>
  );
}

function placesOf(problem: Problem): string {
  const extent = formatExtent(problem);
  return problem.also ? `${extent} and ${formatPlace(problem.also)}` : extent;
}
