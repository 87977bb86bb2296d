import type { CatalogName } from '../../contract/columns.ts';
import type { ChangeVisitor } from '../compare/walk.ts';
import {
  emptyProducts,
  lostFileRows,
  lostGuards,
  lostRows,
  type Replacement,
  type Rule,
  shiftedPrices,
  type Watcher,
  zeroPrices,
} from './rules.ts';

/** The rules of what is drastic, by their stable codes. A set to which one applies waits until somebody confirms it. */
export const holdRules = {
  CUT_OFF: {
    meaning: 'a file is the beginning of the one that is served, or seems to end inside its last row',
    find: ({ cutOff }) => ({ messages: () => [...cutOff] }),
  },
  LOST_ROWS: {
    meaning: 'a catalog loses more than half of the rows that visitors see, or its file',
    find: lostRows,
  },
  LOST_GUARD: {
    meaning: 'a column `hidden`, `publish_time` or `unpublish_time` is gone that keeps rows from visitors',
    find: lostGuards,
  },
  EMPTY_PRODUCT: {
    meaning: 'a product stays, but visitors see none of its configurations any more',
    find: emptyProducts,
  },
  ZERO_PRICE: { meaning: 'a price that was not 0 becomes 0', find: zeroPrices },
  SHIFTED_PRICES: {
    meaning: 'more than a tenth of the prices become at least five times as high, or at most a fifth',
    find: shiftedPrices,
  },
} as const satisfies Record<string, { meaning: string; find: Rule }>;

export type HoldCode = keyof typeof holdRules;

/** Why a set is held back: what would happen, then what to do. */
export interface HoldReason {
  code: HoldCode;
  message: string;
}

/** Applies the rules to the differences that it is shown. */
interface HoldBack extends ChangeVisitor {
  reasons(): HoldReason[];
}

export function openHoldBack(replacement: Replacement): HoldBack {
  // Each rule has one of the codes.
  const codes = Object.keys(holdRules) as HoldCode[];
  const watchers = codes.map(code => {
    const watcher: Watcher = holdRules[code].find(replacement);
    return { code, watcher };
  });
  // There are many rows, and not all rules look at them.
  const ofRows = watchers.flatMap(({ watcher: { row } }) => row ?? []);
  return {
    catalog(pair) {
      for (const { watcher } of watchers) watcher.catalog?.(pair);
    },
    row(pair) {
      for (const row of ofRows) row(pair);
    },
    reasons: () =>
      watchers.flatMap(({ code, watcher }) => watcher.messages().map(message => ({ code, message }))),
  };
}

/** Applies the rules that need no more than the files of the set before, if its rows are not known any more. */
export function holdsOfFiles(
  before: readonly { catalog: CatalogName; rows: number }[],
  replacement: Pick<Replacement, 'set' | 'cutOff' | 'gone'>,
): HoldReason[] {
  const reasonsOf = (code: HoldCode, messages: readonly string[]) =>
    messages.map(message => ({ code, message }));
  return [
    ...reasonsOf('CUT_OFF', replacement.cutOff),
    ...reasonsOf('LOST_ROWS', lostFileRows(before, replacement)),
  ];
}
