import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { HistoryVersion, History as ServedVersions } from '../contract/history.ts';
import { formatMoment } from './format.ts';
import { Pager } from './parts/fields.tsx';
import { TokenForm } from './parts/token-form.tsx';
import { Head, Sentences, View, Waiting } from './parts/view.tsx';
import { query } from './state/address.ts';
import { control, Refusal, useAnswer } from './state/ask.ts';
import { hasToken } from './state/token.ts';

const LIMIT = 10;

export function History() {
  return (
    <View name="history">
      {hasToken.value && <Versions />}
      <TokenForm why="With the token of your administrator (PREVIEW_TOKEN), this page lists all versions, rolls back, and lets a held-back version go live. This browser forgets the token when you close it." />
      {!hasToken.value && (
        <p class="note">
          Without it, your administrator does the same on the machine of the service: 'vitrine history' lists
          the versions, 'vitrine rollback VERSION' serves one of them again, 'vitrine unpin' loads the files
          again, and 'vitrine publish VERSION' lets a held-back version go live.
        </p>
      )}
    </View>
  );
}

function Versions() {
  const answer = useAnswer('history', { page: query.value.page ?? '1', limit: String(LIMIT) });
  if (!answer) return <Waiting />;
  return (
    <>
      {answer.held && <Held held={answer.held} />}
      <h3 id="versions">Versions</h3>
      <table class="versions" aria-labelledby="versions">
        <Head names={['Version', 'Live from', 'Change', '']} />
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
      <h3>Held back: {version}</h3>
      <p>{formatMoment(since)}</p>
      <Sentences all={reasons} />
      <Publish version={version} />
    </div>
  );
}

function Version({ version, since, changes, state }: HistoryVersion) {
  return (
    <tr>
      <th scope="row">
        <code>{version}</code>
        {state && <small class="mark">{state === 'pinned' ? 'live, pinned' : 'live'}</small>}
      </th>
      <td>
        <time dateTime={since}>{formatMoment(since)}</time>
      </td>
      <td>{changes ?? 'not known'}</td>
      <td class="actions">
        {state === undefined && (
          <ConfirmButton
            caption="Roll back"
            label={`Roll back to ${version}`}
            act={() => control(`${version}/pin`)}
          />
        )}
        {state === 'pinned' && <Unpin />}
      </td>
    </tr>
  );
}

/** Ends a pin. Needs the token. */
export function Unpin() {
  return <ConfirmButton caption="Load the files again" act={() => control('unpin')} />;
}

/** Confirms a held version. Needs the token. */
export function Publish({ version }: { version: string }) {
  return <ConfirmButton caption="Let it go live" act={() => control(`${version}/publish`)} />;
}

interface Action {
  caption: string;
  label?: string;
  act: () => Promise<unknown>;
}

/**
 * Acts on the second click; the first one asks. Then it shows the result. When the button disappears because the action is
 * done, the heading of the view gets the focus.
 */
function ConfirmButton({ caption, label, act }: Action) {
  const [isAsking, setAsking] = useState(false);
  const [outcome, setOutcome] = useState('');
  const button = useRef<HTMLButtonElement>(null);
  useLayoutEffect(() => {
    const { current } = button;
    return () => {
      if (current === document.activeElement) document.querySelector<HTMLElement>('main h2')?.focus();
    };
  }, []);
  const click = async () => {
    setAsking(!isAsking);
    if (!isAsking) return;
    try {
      await act();
      setOutcome('Done: the service follows within a second.');
    } catch (error) {
      setOutcome(error instanceof Refusal ? error.message : 'The service has not answered.');
    }
  };
  return (
    <>
      <button
        ref={button}
        type="button"
        class="quiet"
        aria-label={isAsking ? undefined : label}
        onClick={() => void click()}
        onBlur={() => setAsking(false)}
      >
        {isAsking ? 'Click again to do it' : caption}
      </button>
      <span role="status">{outcome}</span>
    </>
  );
}
