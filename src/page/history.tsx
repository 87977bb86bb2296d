import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import type { HistoryVersion, History as ServedVersions } from '../contract/history.ts';
import { formatMoment } from './format.ts';
import { Pager } from './parts/fields.tsx';
import { TokenForm } from './parts/token-form.tsx';
import { Head, Sentences, View, Waiting } from './parts/view.tsx';
import { query } from './state/address.ts';
import { control, Refusal, useAnswer } from './state/ask.ts';
import { hasToken } from './state/token.ts';
import { texts } from './texts.ts';

const LIMIT = 10;

/** The versions that were live, what each changed, and the way back. */
export function History() {
  return (
    <View name="history">
      {hasToken.value && <Versions />}
      <TokenForm why={texts.tokenWhy} />
      {!hasToken.value && <p class="note">{texts.withoutToken}</p>}
    </View>
  );
}

function Versions() {
  const answer = useAnswer('history', { page: query.value.page ?? '1', limit: String(LIMIT) });
  if (!answer) return <Waiting />;
  return (
    <>
      {answer.held && <Held held={answer.held} />}
      <h3 id="versions">{texts.versions}</h3>
      <table class="versions" aria-labelledby="versions">
        <Head names={[texts.versionHeading, texts.since, texts.change, '']} />
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
        {state && <small class="mark">{texts.versionStates[state]}</small>}
      </th>
      <td>
        <time dateTime={since}>{formatMoment(since)}</time>
      </td>
      <td>{changes ?? texts.unknownChange}</td>
      <td class="actions">
        {state === undefined && (
          <ConfirmButton
            caption={texts.rollBack}
            label={texts.rollBackTo(version)}
            act={() => control(`${version}/pin`)}
          />
        )}
        {state === 'pinned' && <Unpin />}
      </td>
    </tr>
  );
}

/** Lets saves go live again. It needs the token. */
export function Unpin() {
  return <ConfirmButton caption={texts.unpin} act={() => control('unpin')} />;
}

/** Lets a version go live that is held back. It needs the token. */
export function Publish({ version }: { version: string }) {
  return <ConfirmButton caption={texts.publish} act={() => control(`${version}/publish`)} />;
}

/**
 * Does something for good: the first click asks, the second one does it. Then it says what came of it. When the button goes
 * because that is done, the heading of the view has the focus.
 */
function ConfirmButton({
  caption,
  label,
  act,
}: {
  caption: string;
  label?: string;
  act: () => Promise<unknown>;
}) {
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
      setOutcome(texts.done);
    } catch (error) {
      setOutcome(error instanceof Refusal ? error.message : texts.noAnswer);
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
        {isAsking ? texts.sure : caption}
      </button>
      <span role="status">{outcome}</span>
    </>
  );
}
