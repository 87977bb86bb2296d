import * as columns from './column-rules.ts';
import { filledDates, withComing } from './dated-prices.ts';
import * as rules from './rules.ts';

/** The rules for drastic changes, by their stable codes. A set to which one applies waits for confirmation. */
export const holdRules = {
  NOT_COMPARED: {
    meaning: 'the served set can no longer be read, so drastic changes would go unnoticed',
    find: () => [],
  },
  UNREAD_FIELDS: {
    meaning: 'an upgrade would read `extra.NAME` columns or `valid_from`, which were ignored before',
    find: () => [],
  },
  CUT_OFF: {
    meaning:
      'a file is the beginning of the served one and lacks more than one row or 2 % of its rows, or seems to end inside its last row',
    find: ({ cutOff }) => [...cutOff],
  },
  LOST_ROWS: {
    meaning: 'a catalog loses its file, or more than half of the rows that visitors see',
    find: rules.lostRows,
  },
  LOST_PART: {
    meaning:
      'more than a third of the rows of a catalog, at least three, are deleted, though what they belong to stays; or most rows of two products, configurations or news types, or of one with five',
    find: rules.lostPart,
  },
  LOST_GUARD: {
    meaning:
      'a column that keeps rows from visitors is gone, such as `hidden`, `draft`, `publish_time` or `valid_from`',
    find: rules.lostGuards,
  },
  EMPTY_GUARD: {
    meaning: 'such a column keeps its heading but loses its values, at least two',
    find: rules.emptiedGuards,
  },
  EMPTY_PRODUCT: {
    meaning: 'a product stays, but visitors no longer see any of its configurations',
    find: rules.emptyProducts,
  },
  ZERO_PRICE: { meaning: 'a price that was not 0 becomes 0', find: rules.zeroPrices },
  ZERO_SIZE: {
    meaning: 'the `cpu` or `memory` of at least two configurations becomes 0',
    find: rules.zeroSizes,
  },
  FAR_PRICE: {
    meaning: 'a price becomes 50 times as high or low, or a new one is a hundredth of others of its product',
    find: rules.farPrices,
  },
  SHIFTED_PRICES: {
    meaning: 'more than a tenth of the prices become at least five times as high, or at most a fifth',
    find: rules.shiftedPrices,
  },
  SCALED_VALUES: {
    meaning:
      'the numbers of a column or product become 5 times as high or low (prices 3 times, unless all do)',
    find: columns.scaledValues,
  },
  MOVED_VALUES: {
    meaning: 'most values of a column, at least five, are those that other rows or another column had',
    find: columns.movedValues,
  },
  MOVED_IDS: {
    meaning: 'three rows have the name or title that another id had, or half of a catalog has new ids',
    find: columns.movedIds,
  },
  MOVED_TIMES: {
    meaning: 'at least five creation times move by the same amount, or to one moment',
    find: columns.movedTimes,
  },
  FILLED_DATES: {
    meaning:
      'at least five prices in force would wait for a date, or dates become one day or a series of days',
    find: filledDates,
  },
  LOST_VALUES: {
    meaning: 'most values of a column, at least five, are gone, equal, or cut off at one length',
    find: columns.lostValues,
  },
  NEWLY_READ: {
    meaning: 'news items are new only because an upgrade reads dates in file names and `.markdown` files',
    find: rules.newlyReadItems,
  },
} as const satisfies Record<string, { meaning: string; find: columns.ColumnRule }>;

export interface HoldReason {
  code: keyof typeof holdRules;
  message: string;
}

/** Why a set waits for confirmation; empty if it does not. */
export function reasonsToHold(replaced: rules.Replacement): HoldReason[] {
  const replacement = withComing(replaced);
  const changed = columns.changedColumns(replacement);
  return Object.entries(holdRules).flatMap(([code, { find }]) =>
    find(replacement, changed).map(message => ({ code: code as HoldReason['code'], message })),
  );
}

export function notCompared(version: string | undefined): HoldReason {
  const before = version === undefined ? 'the set' : `version ${version}`;
  const message = `${before} that was served before cannot be read any more: check the changes yourself`;
  return { code: 'NOT_COMPARED', message };
}
