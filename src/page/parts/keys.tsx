import { useEffect, useRef } from 'preact/hooks';
import { linkTo, type ViewName } from '../state/address.ts';
import { texts } from '../texts.ts';

/** The view behind each letter after `g`. */
const views: Record<string, ViewName> = {
  n: 'now',
  p: 'prices',
  w: 'news',
  r: 'rows',
  h: 'history',
  t: 'try',
};

/** What is moved to by `j` and `k`. */
const ROWS = 'main :is(article, tbody tr, .cause li)';

/** The keys of the page, and the list of them that `?` opens. */
export function Keys() {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => {
    let isGoing = false;
    const press = (event: KeyboardEvent) => {
      if (event.ctrlKey || event.metaKey || event.altKey || isTyping(event.target)) return;
      const target = isGoing ? views[event.key] : undefined;
      isGoing = event.key === 'g';
      if (target) location.hash = linkTo(target);
      else if (event.key === '/') find(event);
      else if (event.key === 'j') move(1);
      else if (event.key === 'k') move(-1);
      else if (event.key === '?') dialog.current?.showModal();
    };
    document.addEventListener('keydown', press);
    return () => document.removeEventListener('keydown', press);
  }, []);
  return (
    <dialog ref={dialog} aria-labelledby="keys">
      <h2 id="keys">{texts.keys}</h2>
      <dl>
        {Object.entries(texts.keyTexts).map(([key, meaning]) => (
          <div key={key}>
            <dt>
              <kbd>{key}</kbd>
            </dt>
            <dd>{meaning}</dd>
          </div>
        ))}
      </dl>
      <form method="dialog">
        <button type="submit">{texts.close}</button>
      </form>
    </dialog>
  );
}

function isTyping(target: EventTarget | null): boolean {
  return target instanceof Element && target.matches('input, select, textarea, dialog *');
}

/** Leads to the search field of the view. */
function find(event: Event): void {
  const field = document.getElementById('keyword');
  if (!(field instanceof HTMLInputElement)) return;
  event.preventDefault();
  field.focus();
  field.select();
}

/** Moves the focus by a row. */
function move(step: number): void {
  const rows = [...document.querySelectorAll<HTMLElement>(ROWS)];
  const here = rows.findIndex(row => row.contains(document.activeElement));
  const next = rows[here < 0 ? 0 : here + step];
  if (!next) return;
  next.tabIndex = -1;
  next.focus();
}
