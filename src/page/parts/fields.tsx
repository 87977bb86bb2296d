import { useEffect, useRef } from 'preact/hooks';
import type { Pagination } from '../../contract/envelope.ts';
import { formatNumber } from '../format.ts';
import { choose, query } from '../state/address.ts';

/** An option of a picker: its value in the address, and its label. */
interface Option {
  value: string;
  text: string;
}

/** A choice in the address, under `name`. By default, and for an unknown value, it is the first option. */
export function Picker({ name, label, options }: { name: string; label: string; options: Option[] }) {
  const chosen = chosenOf(name, options);
  const [first] = options;
  return (
    <span>
      <label for={name}>{label}</label>
      <select
        id={name}
        value={chosen}
        onChange={({ currentTarget: { value } }) =>
          choose({ [name]: value === first?.value ? '' : value, page: '' })
        }
      >
        {options.map(({ value, text }) => (
          <option key={value} value={value}>
            {text}
          </option>
        ))}
      </select>
    </span>
  );
}

export function chosenOf(name: string, options: readonly Option[]): string {
  const wanted = query.value[name];
  return (options.find(({ value }) => value === wanted) ?? options[0])?.value ?? '';
}

/** The delay from the last keystroke to the search, in milliseconds. */
const DEBOUNCE_MS = 150;

export function SearchField({ label }: { label: string }) {
  const field = useRef<HTMLInputElement>(null);
  const timer = useRef(0);
  const { keyword = '' } = query.value;
  // A new address sets the text, but not while somebody types.
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

/** The buttons below a list with `limit` items per page; nothing for a single page. */
export function Pager({ pagination, limit }: { pagination: Pagination; limit: number }) {
  const { current_page: page, total } = pagination;
  const last = Math.ceil(total / limit);
  // The list may have become shorter than the address assumes.
  useEffect(() => {
    if (page > Math.max(1, last)) choose({ page: '' }, true);
  }, [page, last]);
  if (last <= 1) return null;
  const go = (to: number) => () => {
    if (to < 1 || to > last) return;
    choose({ page: to === 1 ? '' : String(to) });
    document.getElementById('main')?.scrollIntoView();
  };
  // `disabled` would lose the keyboard focus.
  return (
    <nav class="pages" aria-label="Pages">
      <button type="button" aria-disabled={page <= 1} onClick={go(page - 1)}>
        Previous
      </button>
      <span>
        Page {formatNumber(page)} of {formatNumber(last)}
      </span>
      <button type="button" aria-disabled={page >= last} onClick={go(page + 1)}>
        Next
      </button>
    </nav>
  );
}
