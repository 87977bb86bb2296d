import { computed, effect, signal } from '@preact/signals';
import { query } from './address.ts';

const KEY = 'vitrine-token';

/** The token as typed; empty without one. The browser forgets it when it closes. */
export const token = signal(sessionStorage.getItem(KEY) ?? '');

export const refused = signal(false);

/** Whether there is a token that the service has not refused. */
export const hasToken = computed(() => token.value !== '' && !refused.value);

effect(() => {
  refused.value = false;
  if (token.value === '') sessionStorage.removeItem(KEY);
  else sessionStorage.setItem(KEY, token.value);
  // biome-ignore lint/suspicious/noDocumentCookie: the Cookie Store API is missing where the page comes by plain HTTP.
  document.cookie = cookieOf(token.value);
});

/** The cookie with the token, for images and links of a preview, which cannot send a header. */
function cookieOf(value: string): string {
  const { pathname, protocol } = new URL('preview', document.baseURI);
  const expiry = value === '' ? '; max-age=0' : '';
  const security = protocol === 'https:' ? '; secure' : '';
  return `vitrine_preview=${value}; path=${pathname}; samesite=strict${expiry}${security}`;
}

/**
 * What the page shows instead of the live site: an instant, or `held` for the held set. It is `at` in the address, and needs
 * the token. Empty for the live site.
 */
export const preview = computed(() => (hasToken.value ? (query.value.at ?? '') : ''));

/** Returns the path of an answer or image at an instant. Health and history have no preview. */
export function pathAt(instant: string, path: string): string {
  const hasPreview = instant !== '' && /^(?:api|overview|changes|images)\b/.test(path);
  return hasPreview ? `preview/${encodeURIComponent(instant)}/${path}` : path;
}
