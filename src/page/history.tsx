import { useRef } from 'preact/hooks';
import type { Change, Changes } from '../contract/changes.ts';
import type { HistoryVersion, History as ServedVersions } from '../contract/history.ts';
import { formatChange, formatMoment } from './format.ts';
import { ConfirmButton, JsonLink } from './parts/buttons.tsx';
import { Pager, Picker } from './parts/fields.tsx';
import { Scrolling } from './parts/scrolling.tsx';
import { linkTo, query } from './state/address.ts';
import { control } from './state/ask.ts';
import { hasToken, refused, token } from './state/token.ts';
import { useAnswer } from './state/use-answer.ts';
import { texts } from './texts.ts';

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

/** The changes between any two versions. */
function Comparison() {
  const { from = 'served', to = 'served', page = '1' } = query.value;
  const versions = useAnswer('history', { limit: '100' });
  const answer = useAnswer('history/changes', { from, to, page, limit: String(LIMIT) });
  const options = [
    { value: 'served', text: texts.servedSide },
    ...(versions?.held ? [{ value: 'held', text: texts.heldSide }] : []),
    ...(versions?.list ?? []).map(({ version, since }) => ({
      value: version,
      text: `${version}, ${formatMoment(since)}`,
    })),
  ];
  return (
    <>
      <p>
        <a href={linkTo('history')}>{texts.versions}</a>
      </p>
      <p class="fields">
        <Picker name="from" label={texts.from} options={options} />
        <Picker name="to" label={texts.to} options={options} />
      </p>
      {answer && <ChangeList {...answer} limit={LIMIT} />}
    </>
  );
}

type Listed = Pick<Change, 'catalog' | 'change' | 'key' | 'names' | 'columns'>;
type Column = Listed['columns'][number];

const keyColumns = ['id', 'product_id', 'rel_id', 'duration_id'] as const;

/** Changes of rows, each with the values before and after. */
function ChangeList({
  list,
  pagination,
  limit,
}: Pick<Changes, 'pagination'> & { list: readonly Listed[]; limit: number }) {
  return (
    <>
      <p class="count" role="status">
        {pagination.total === 0 ? texts.noChanges : texts.changes(pagination.total)}
      </p>
      {list.length > 0 && (
        <Scrolling label={texts.changes(pagination.total)}>
          <table class="changes">
            <thead>
              <tr>
                <th scope="col">{texts.catalog}</th>
                <th scope="col">{texts.rowHeading}</th>
                <th scope="col">{texts.change}</th>
              </tr>
            </thead>
            <tbody>
              {list.map(item => (
                <ChangeRow key={item.catalog + JSON.stringify(item.key)} item={item} />
              ))}
            </tbody>
          </table>
        </Scrolling>
      )}
      <Pager pagination={pagination} limit={limit} />
    </>
  );
}

function ChangeRow({ item: { catalog, change, key, names, columns } }: { item: Listed }) {
  const ids = keyColumns.filter(column => key[column] !== undefined);
  return (
    <tr>
      <td>{texts.catalogNames[catalog]}</td>
      <td>
        {ids.map(column => (
          <span key={column} class="pair">
            {names?.[column] !== undefined && <span dir="auto">{names[column]}</span>}{' '}
            <small>
              {column} {key[column]}
            </small>
          </span>
        ))}
      </td>
      <td>
        <strong>{texts.changeKinds[change]}</strong>
        <ul>
          {columns
            .filter(({ column }) => !(column in key))
            .map(item => (
              <li key={item.column} dir="auto">
                {item.column}: {valuesOf(change, item)}
              </li>
            ))}
        </ul>
      </td>
    </tr>
  );
}

function valuesOf(change: Listed['change'], { from, to, percent }: Column): string {
  if (change === 'added') return textOf(to);
  if (change === 'removed') return textOf(from);
  const relative = percent === undefined ? '' : ` (${formatChange(percent)})`;
  return `${textOf(from)} → ${textOf(to)}${relative}`;
}

function textOf(value: Column['to']): string {
  return value === null ? texts.noValue : String(value);
}

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
          <>
            <ConfirmButton
              caption={texts.rollBack}
              label={texts.rollBackTo(version)}
              act={() => control(`${version}/pin`)}
            />
            <a href={linkTo('history', { from: version, to: 'served' })}>{texts.compare}</a>
          </>
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
      <a href={linkTo('history', { from: 'served', to: 'held' })}>{texts.compare}</a>
    </p>
  );
}
