import { movedIds, movedValues } from './moved-rules.ts';
import {
  emptiedGuards,
  emptyProducts,
  lostGuards,
  lostPart,
  lostRows,
  type Replacement,
  type Rule,
  scaledProducts,
  shiftedPrices,
  zeroPrices,
} from './rules.ts';

/** The rules of what is drastic, by their stable codes. A set to which one applies waits until somebody confirms it. */
export const holdRules = {
  NOT_COMPARED: {
    meaning:
      'the set that is served cannot be read any more, so that a drastic change would not be recognised',
    find: () => [],
  },
  CUT_OFF: {
    meaning:
      'a file is the beginning of the one that is served and lacks more than one row or 2 % of its rows, or seems to end inside its last row',
    find: ({ cutOff }) => [...cutOff],
  },
  LOST_ROWS: {
    meaning: 'a catalog loses more than half of the rows that visitors see, or its file',
    find: lostRows,
  },
  LOST_PART: {
    meaning:
      'a catalog loses more than a third of the rows that visitors see, at least three, though what they belong to stays',
    find: lostPart,
  },
  LOST_GUARD: {
    meaning: 'a column such as `hidden`, `draft` or `publish_time` is gone that keeps rows from visitors',
    find: lostGuards,
  },
  EMPTY_GUARD: {
    meaning: 'such a column keeps its heading and loses its values, at least two',
    find: emptiedGuards,
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
  SCALED_PRODUCT: {
    meaning:
      'all prices of a product, at least three, are multiplied by the same factor, 3 or more or a fifth or less, and those of other products are not',
    find: scaledProducts,
  },
  MOVED_VALUES: {
    meaning: 'the values of a column, at least five different ones, are those that other rows had',
    find: movedValues,
  },
  MOVED_IDS: {
    meaning: 'at least three configurations or news items have the name or title that another id had',
    find: movedIds,
  },
} as const satisfies Record<string, { meaning: string; find: Rule }>;

export interface HoldReason {
  code: keyof typeof holdRules;
  message: string;
}

/** Why a set waits until somebody confirms it; empty if it does not. */
export function holdReasons(replacement: Replacement): HoldReason[] {
  return Object.entries(holdRules).flatMap(([code, { find }]) =>
    find(replacement).map(message => ({ code: code as HoldReason['code'], message })),
  );
}

export function notCompared(version: string | undefined): HoldReason {
  const before = version === undefined ? 'the set' : `version ${version}`;
  const message = `${before} that was served before cannot be read any more: check the changes yourself`;
  return { code: 'NOT_COMPARED', message };
}
