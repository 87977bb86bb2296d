import type { HistoryVersion, History as ServedVersions } from '../contract/history.ts';
import { formatMoment } from './format.ts';
import { ConfirmButton } from './parts/buttons.tsx';
import { Pager } from './parts/fields.tsx';
import { TokenForm } from './parts/token-form.tsx';
import { Sentences, View, Waiting } from './parts/view.tsx';
import { query } from './state/address.ts';
import { control, useAnswer } from './state/ask.ts';
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

/** All versions, and the one that is held back, with what can be done with each. */
function Versions() {
  const answer = useAnswer('history', { page: query.value.page ?? '1', limit: String(LIMIT) });
  if (!answer) return <Waiting />;
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
