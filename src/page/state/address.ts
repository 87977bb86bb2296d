import { computed, signal } from '@preact/signals';

/** The views, by the name that each has in the address of the page. The first is shown where an address names none. */
export const viewNames = ['now', 'prices', 'news', 'rows', 'history', 'try'] as const;
export type ViewName = (typeof viewNames)[number];

/** What the page shows: a view, and the choices made in it. All of it is in the address, as in `#/prices?product=3`. */
interface Address {
  view: ViewName;
  query: Query;
}

const current = signal(parse(location.hash));
window.addEventListener('hashchange', () => {
  current.value = parse(location.hash);
});

export const view = computed(() => current.value.view);
export const query = computed(() => current.value.query);

/** The link to a view. Empty values are left out. */
export function linkTo(view: ViewName, query: Query = {}): string {
  const search = new URLSearchParams(Object.entries(query).filter(([, value]) => value !== ''));
  return `#/${view}${search.size > 0 ? `?${search}` : ''}`;
}

/**
 * Changes choices of the shown view. Each becomes an entry of the browser's history, except with `replace`, as for the
 * letters of a search.
 */
export function choose(choices: Query, replace = false): void {
  const link = linkTo(view.value, { ...query.value, ...choices });
  if (link === location.hash) return;
  if (replace) history.replaceState(undefined, '', link);
  else history.pushState(undefined, '', link);
  current.value = parse(link);
}

function parse(hash: string): Address {
  const [, name, search] = /^#\/([^?]*)\??(.*)$/.exec(hash) ?? [];
  const view = viewNames.find(known => known === name) ?? viewNames[0];
  return { view, query: Object.fromEntries(new URLSearchParams(search)) };
}

/** An empty value counts as absent. */
export type Query = Readonly<Record<string, string>>;
