import { useEffect, useRef } from 'preact/hooks';
import { choose, query } from '../state/address.ts';

/** Search starts this many milliseconds after the last keystroke. */
const DEBOUNCE_MS = 150;

/** The field for the `keyword` in the address of a view. The key `/` leads to it. */
export function SearchField({ label }: { label: string }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const { keyword = '' } = query.value;
  // Another address sets the text, but never while somebody types.
  useEffect(() => {
    const input = field.current;
    if (input && document.activeElement !== input) input.value = keyword;
  }, [keyword]);
  const search = () => {
    window.clearTimeout(timer.current);
    choose({ keyword: field.current?.value ?? '', page: '' }, true);
  };
  const wait = () => {
    window.clearTimeout(timer.current);
    timer.current = window.setTimeout(search, DEBOUNCE_MS);
  };
  useEffect(() => () => window.clearTimeout(timer.current), []);
  return (
    <span>
      <label for="keyword">{label}</label>
      <input
        id="keyword"
        type="search"
        maxLength={64}
        autocomplete="off"
        ref={field}
        onInput={wait}
        onKeyDown={event => event.key === 'Enter' && search()}
      />
    </span>
  );
}
