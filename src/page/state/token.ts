import { computed, effect, signal } from '@preact/signals';

const KEY = 'vitrine-token';

/** What `PREVIEW_TOKEN` is, as somebody typed it; empty without one. The browser keeps it no longer than it is open. */
export const token = signal(sessionStorage.getItem(KEY) ?? '');

/** Whether the service has refused it. */
export const refused = signal(false);

/** Whether there is a token, and as far as is known the right one. */
export const hasToken = computed(() => token.value !== '' && !refused.value);

effect(() => {
  refused.value = false;
  if (token.value === '') sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token.value);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page comes by plain HTTP.
  document.cookie = cookieOf(token.value);
});

/** The cookie with which images and links of a preview have the token: they cannot carry a header. */
function cookieOf(value: string): string {
  const { pathname, protocol } = new URL('preview', document.baseURI);
  const expiry = value === '' ? '; max-age=0' : '';
  const security = protocol === 'https:' ? '; secure' : '';
  return `vitrine_preview=${value}; path=${pathname}; samesite=strict${expiry}${security}`;
}
