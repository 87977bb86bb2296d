import { choose } from '../state/address.ts';
import { health } from '../state/served.ts';
import { hasToken, preview } from '../state/token.ts';
import { texts } from '../texts.ts';

/** What the field can show; an address may have other spellings of a time. */
const LOCAL = /^\d{4}-\d\d-\d\dT\d\d:\d\d$/;

/** With the token: as of when the page shows the site, in the time zone of the site, or the set that is held back. */
export function Instant() {
  if (!hasToken.value) return null;
  const show = (at: string) => () => choose({ at, page: '' });
  return (
    <aside class="instant fields" aria-label={texts.preview} data-preview={preview.value !== ''}>
      <span>
        <label for="instant">{texts.instant}</label>
        <input
          id="instant"
          type="datetime-local"
          value={LOCAL.test(preview.value) ? preview.value : ''}
          onChange={({ currentTarget: { value } }) => show(value)()}
        />
      </span>
      {health.value?.held && preview.value !== 'held' && (
        <button type="button" onClick={show('held')}>
          {texts.previewHeld}
        </button>
      )}
      {preview.value !== '' && (
        <>
          <button type="button" onClick={show('')}>
            {texts.previewEnd}
          </button>
          <p role="status">{preview.value === 'held' ? texts.previewOfHeld : texts.previewOf}</p>
        </>
      )}
    </aside>
  );
}
