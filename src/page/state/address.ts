import { computed, signal } from '@preact/signals';

/** The headings of the views by their names in the address. The first is the default. */
export const headings = {
  now: 'Now',
  prices: 'Prices',
  news: 'News',
  rows: 'Rows',
  history: 'History',
  try: 'Try',
} as const;
export type ViewName = keyof typeof headings;
export const viewNames = Object.keys(headings) as ViewName[];

/** What the page shows. All of it is in the address, as in `#/prices?product=3`. */
const current = signal(parse(location.hash));
export const view = computed(() => current.value.view);
export const query = computed(() => current.value.query);

/** The scroll positions of entries of the browser’s history, by the number that is their state. */
const tops = new Map<unknown, number>();

if (history.state === null) history.replaceState(newEntry(), '');
let entry: unknown = history.state;
window.addEventListener('hashchange', ({ oldURL }) => {
  if (history.state === null) history.replaceState(newEntry(), '');
  const top = enter();
  current.value = parse(location.hash);
  // Once the view is rendered.
  requestAnimationFrame(() => arrive(top, new URL(oldURL).hash));
});

/** Saves the scroll position of the entry. Returns that of the next one. */
function enter(): number | undefined {
  tops.set(entry, scrollY);
  entry = history.state;
  return tops.get(entry);
}

/** Scrolls to the top of a new view, or back to the place and the link that led away from an old one. */
function arrive(top: number | undefined, from: string): void {
  scrollTo(0, top ?? 0);
  const link = document.querySelector<HTMLElement>(`main a[href=${JSON.stringify(from)}]`);
  link?.focus({ preventScroll: top !== undefined });
}

/** Returns a number that no entry has, not even one from before a reload. */
function newEntry(): number {
  return performance.timeOrigin + performance.now();
}

/** Returns the link to a view, without empty values. */
export function linkTo(view: ViewName, query: Query = {}): string {
  return `#/${view}${searchOf(query)}`;
}

/** Changes choices of the view. Each becomes an entry of the browser's history, except with `replace`. */
export function choose(choices: Query, replace = false): void {
  const link = linkTo(view.value, { ...query.value, ...choices });
  if (link === location.hash) return;
  if (replace) history.replaceState(history.state, '', link);
  else {
    history.pushState(newEntry(), '', link);
    enter();
  }
  current.value = parse(link);
}

function parse(hash: string): { view: ViewName; query: Query } {
  const [, name, search] = /^#\/([^?]*)\??(.*)$/.exec(hash) ?? [];
  const view = viewNames.find(known => known === name) ?? 'now';
  return { view, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** Empty values count as absent. */
export type Query = Readonly<Record<string, string>>;

/** Returns a query such as `?page=2`; empty without values. */
export function searchOf(query: Query): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return search.size > 0 ? `?${search}` : '';
}
