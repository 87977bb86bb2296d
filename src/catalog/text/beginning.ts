import { SHORT_LENGTH } from '../../contract/changes.ts';

/** The first characters of a long text, without half a character at the end; a text that is not long as it is. */
export function beginningOf(text: string): string {
  if (text.length <= SHORT_LENGTH) return text;
  return text.slice(0, SHORT_LENGTH).replace(/[\ud800-\udbff]$/, '');
}

/** The same, with `…` at the end of what is cut off. */
export function shortened(text: string): string {
  const start = beginningOf(text);
  return start.length < text.length ? `${start}…` : text;
}
