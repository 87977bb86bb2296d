import { useRef } from 'preact/hooks';
import type { HistoryVersion, History as ServedVersions } from '../contract/history.ts';
import { formatMoment } from './format.ts';
import { ConfirmButton } from './parts/buttons.tsx';
import { Pager } from './parts/fields.tsx';
import { query } from './state/address.ts';
import { control } from './state/ask.ts';
import { hasToken, refused, token } from './state/token.ts';
import { useAnswer } from './state/use-answer.ts';
import { texts } from './texts.ts';

/** The versions that were live, what each changed, and the way back. */
export function History() {
  return (
    <section aria-labelledby="history">
      <h2 id="history">{texts.views.history}</h2>
      {hasToken.value && <Versions />}
      <TokenForm />
    </section>
  );
}

const LIMIT = 10;

/** Where the token is typed, what it is good for, and what to do without it. */
function TokenForm() {
  const field = useRef<HTMLInputElement>(null);
  if (hasToken.value) {
    return (
      <p>
        <button type="button" class="quiet" onClick={() => (token.value = '')}>
          {texts.tokenForget}
        </button>
      </p>
    );
  }
  const use = (event: Event) => {
    event.preventDefault();
    token.value = field.current?.value.trim() ?? '';
  };
  return (
    <>
      <form class="fields" onSubmit={use}>
        <span>
          <label for="token">{texts.token}</label>
          <input id="token" type="password" autocomplete="off" ref={field} />
        </span>
        <button type="submit">{texts.tokenUse}</button>
      </form>
      <p role="alert">{refused.value && texts.tokenWrong}</p>
      <p class="note">{texts.tokenWhy}</p>
      <p class="note">{texts.withoutToken}</p>
      <dl class="commands">
        {Object.entries(texts.commands).map(([command, meaning]) => (
          <div key={command}>
            <dt>
              <code>{command}</code>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
    </>
  );
}

/** All versions, and the one that is held back, with what can be done with each. */
function Versions() {
  const answer = useAnswer('history', { page: query.value.page ?? '1', limit: String(LIMIT) });
  if (!answer) return null;
  return (
    <>
      {answer.held && <Held held={answer.held} />}
      <h3 id="versions">{texts.versions}</h3>
      <table class="versions" aria-labelledby="versions">
        <thead>
          <tr>
            <th scope="col">{texts.versionHeading}</th>
            <th scope="col">{texts.since}</th>
            <th scope="col">{texts.change}</th>
            <td />
          </tr>
        </thead>
        <tbody>
          {answer.list.map(version => (
            <Version key={version.version + version.since} {...version} />
          ))}
        </tbody>
      </table>
      <Pager pagination={answer.pagination} limit={LIMIT} />
    </>
  );
}

function Held({ held: { version, since, reasons } }: { held: NonNullable<ServedVersions['held']> }) {
  return (
    <div class="outcome" data-outcome="held">
      <h3>{texts.held(version)}</h3>
      <p>{formatMoment(since)}</p>
      <ul>
        {reasons.map(({ message }) => (
          <li key={message}>{message}</li>
        ))}
      </ul>
      <HeldActions version={version} />
    </div>
  );
}

function Version({ version, since, changes, state }: HistoryVersion) {
  return (
    <tr>
      <th scope="row">
        <code>{version}</code>
        {state && <small class="mark">{texts.versionStates[state]}</small>}
      </th>
      <td>{formatMoment(since)}</td>
      <td>{changes ?? texts.unknownChange}</td>
      <td class="actions">
        {state === undefined && (
          <ConfirmButton
            caption={texts.rollBack}
            label={texts.rollBackTo(version)}
            act={() => control(`${version}/pin`)}
          />
        )}
        {state === 'pinned' && <ConfirmButton caption={texts.unpin} act={() => control('unpin')} />}
      </td>
    </tr>
  );
}

/** What can be done, with the token, with a version that is held back. */
export function HeldActions({ version }: { version: string }) {
  return (
    <p>
      <ConfirmButton caption={texts.publish} act={() => control(`${version}/publish`)} />
    </p>
  );
}
