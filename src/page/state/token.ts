import { computed, effect, signal } from '@preact/signals';
import { query } from './address.ts';

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

/**
 * What the page shows in place of what is live: the site at another instant, or the set that is `held` back. It is in the
 * address of the page as `at`, and needs the token. Empty for what is live.
 */
export const preview = computed(() => (hasToken.value ? (query.value.at ?? '') : ''));

/** The path of an answer or image as at an instant. The service itself, and its history, have no preview. */
export function pathAt(instant: string, path: string): string {
  const hasPreview = instant !== '' && /^(?:api|overview|changes|images)\b/.test(path);
  return hasPreview ? `preview/${encodeURIComponent(instant)}/${path}` : path;
}
