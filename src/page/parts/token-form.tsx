import { useRef } from 'preact/hooks';
import { hasToken, refused, token } from '../state/token.ts';

export function TokenForm({ why }: { why: string }) {
  const field = useRef<HTMLInputElement>(null);
  if (hasToken.value) {
    return (
      <p>
        <button type="button" class="quiet" onClick={() => (token.value = '')}>
          Forget the token
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
          <label for="token">Token</label>
          <input id="token" type="password" autocomplete="off" ref={field} />
        </span>
        <button type="submit">Use it</button>
      </form>
      <p role="alert">{refused.value && 'The service does not know this token, or has none.'}</p>
      <p class="note">{why}</p>
    </>
  );
}
