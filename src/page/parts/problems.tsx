import type { Health } from '../../contract/health.ts';
import { formatExtent, formatPlace, type Problem } from '../format.ts';
import { texts } from '../texts.ts';
import { Scrolling } from './view.tsx';

/** How many findings of a cause show without being asked for. */
const SHOWN_FINDINGS = 3;

/** The problems of the last save by cause, errors first, each with its places and what to write instead. */
export function Problems({
  errors,
  warnings,
  problems,
}: Pick<NonNullable<Health['last_attempt']>, 'errors' | 'warnings' | 'problems'>) {
  const causes = causesOf(problems);
  const rest = errors + warnings - problems.reduce((sum, { count = 1 }) => sum + count, 0);
  const counts = [errors > 0 && texts.errors(errors), warnings > 0 && texts.warnings(warnings)];
  return (
    <section class="problems" aria-labelledby="problems">
      <h2 id="problems">{counts.filter(Boolean).join(', ')}</h2>
      <Scrolling label={texts.problems}>
        {causes.map(cause => (
          <CauseSection key={cause.code} {...cause} />
        ))}
      </Scrolling>
      {rest > 0 && <p class="note">{texts.notShown(rest)}</p>}
    </section>
  );
}

function CauseSection({ code, severity, findings }: Cause) {
  const items = Array.from(findings, ([message, places]) => (
    <li key={message}>
      <div class="places">
        {places.map(place => (
          <code key={place}>{place}</code>
        ))}
      </div>
      <p class="message">{message}</p>
    </li>
  ));
  return (
    <div class="cause" data-severity={severity}>
      <h3>
        <span class="severity">{texts.severity[severity]}</span> <code>{code}</code>
      </h3>
      <ul>{items.slice(0, SHOWN_FINDINGS)}</ul>
      {items.length > SHOWN_FINDINGS && (
        <details>
          <summary>{texts.moreFindings(items.length - SHOWN_FINDINGS)}</summary>
          <ul>{items.slice(SHOWN_FINDINGS)}</ul>
        </details>
      )}
    </div>
  );
}

/** The problems with one code: the places of each message. */
interface Cause {
  code: string;
  severity: Problem['severity'];
  findings: Map<string, string[]>;
}

function causesOf(problems: readonly Problem[]): Cause[] {
  const causes = new Map<string, Cause>();
  for (const problem of problems) {
    const { code, severity, message } = problem;
    const cause: Cause = causes.get(code) ?? { code, severity, findings: new Map() };
    const places = cause.findings.get(message) ?? [];
    causes.set(code, cause);
    cause.findings.set(message, [...places, placesOf(problem)]);
  }
  return [...causes.values()];
}

function placesOf(problem: Problem): string {
  const extent = formatExtent(problem);
  return problem.also ? `${extent} ${texts.also(formatPlace(problem.also))}` : extent;
}
