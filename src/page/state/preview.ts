import { computed } from '@preact/signals';
import { query } from './address.ts';
import { hasToken } from './token.ts';

/**
 * What the page shows in place of what is live: the site at another instant, or the set that is `held` back. It is in the
 * address of the page as `at`, and needs the token. Empty for what is live.
 */
export const preview = computed(() => (hasToken.value ? (query.value.at ?? '') : ''));

/** The path of an answer or image as at an instant. The service itself, and its history, have no preview. */
export function pathAt(instant: string, path: string): string {
  const hasPreview = instant !== '' && /^(?:overview|changes|images)\b/.test(path);
  return hasPreview ? `preview/${encodeURIComponent(instant)}/${path}` : path;
}
