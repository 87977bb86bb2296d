import { useRef } from 'preact/hooks';
import { hasToken, refused, token } from '../state/token.ts';
import { texts } from '../texts.ts';

/** Where the token is typed, and what it is good for. */
export function TokenForm({ why }: { why: string }) {
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
      <p class="note">{why}</p>
    </>
  );
}
