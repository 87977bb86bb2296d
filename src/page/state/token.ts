import { effect, signal } from '@preact/signals';

const KEY = 'vitrine-token';

/** What `PREVIEW_TOKEN` is, as somebody typed it; empty without one. The browser keeps it as long as the tab. */
export const token = signal(sessionStorage.getItem(KEY) ?? '');

effect(() => {
  if (token.value === '') sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token.value);
});

/** Whether the service has refused the token. */
export const refused = signal(false);
