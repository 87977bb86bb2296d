import type { Health } from '../../contract/health.ts';
import { CopyButton } from '../parts/copy-button.tsx';
import { Scrolling } from '../parts/scrolling.tsx';
import { texts } from '../texts/texts.ts';
import { type Cause, causesOf, type Finding, lineOf } from './causes.ts';

/** How many findings of a cause, and places of a finding, show without being asked for. */
const SHOWN_FINDINGS = 3;
const SHOWN_PLACES = 12;

/** The problems of the last save by cause, errors first, each with its places and what to write instead. */
export function Problems({
  errors,
  warnings,
  problems,
}: Pick<NonNullable<Health['last_attempt']>, 'errors' | 'warnings' | 'problems'>) {
  const causes = causesOf(problems);
  const lines = causes.flatMap(cause => cause.findings.map(finding => lineOf(finding, cause)));
  const rest = errors + warnings - problems.reduce((sum, { count = 1 }) => sum + count, 0);
  const counts = [errors > 0 && texts.errors(errors), warnings > 0 && texts.warnings(warnings)];
  return (
    <section class="problems" aria-labelledby="problems">
      <header>
        <h2 id="problems">{counts.filter(Boolean).join(', ')}</h2>
        <CopyButton text={lines.join('\n')} caption={texts.copyAll} />
      </header>
      <Scrolling label={texts.problems}>
        {causes.map(cause => (
          <CauseSection key={cause.code} {...cause} />
        ))}
      </Scrolling>
      {rest > 0 && <p class="note">{texts.notShown(rest)}</p>}
    </section>
  );
}

function CauseSection(cause: Cause) {
  const { code, severity, findings } = cause;
  const items = findings.map(finding => <FindingItem key={finding.message} {...{ finding, cause }} />);
  const rest = items.slice(SHOWN_FINDINGS);
  return (
    <div class="cause" data-severity={severity}>
      <h3>
        <span class="severity">{texts.severity[severity]}</span> <code>{code}</code>
      </h3>
      <ul>{items.slice(0, SHOWN_FINDINGS)}</ul>
      {rest.length > 0 && (
        <details>
          <summary>{texts.morePlaces(rest.length)}</summary>
          <ul>{rest}</ul>
        </details>
      )}
    </div>
  );
}

function FindingItem({ finding, cause }: { finding: Finding; cause: Cause }) {
  const { message, places } = finding;
  const rest = places.slice(SHOWN_PLACES);
  return (
    <li>
      <div class="places">
        {places.slice(0, SHOWN_PLACES).map(place => (
          <code key={place}>{place}</code>
        ))}
        {rest.length > 0 && (
          <details>
            <summary>{texts.morePlaces(rest.length)}</summary>
            {rest.map(place => (
              <code key={place}>{place}</code>
            ))}
          </details>
        )}
      </div>
      <p class="message" lang="en">
        {message}
      </p>
      <CopyButton text={lineOf(finding, cause)} caption={texts.copy} label={texts.copyProblem(message)} />
    </li>
  );
}
