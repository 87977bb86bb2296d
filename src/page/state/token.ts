import { computed, effect, signal } from '@preact/signals';

const KEY = 'vitrine-token';

/** What `PREVIEW_TOKEN` is, as somebody typed it; empty without one. The browser keeps it as long as the tab. */
export const token = signal(sessionStorage.getItem(KEY) ?? '');

/** Whether the service has refused it. */
export const refused = signal(false);

/** Whether there is a token, and as far as is known the right one. */
export const hasToken = computed(() => token.value !== '' && !refused.value);

effect(() => {
  refused.value = false;
  if (token.value === '') sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token.value);
});
