import type { Deeds } from './accidents.ts';
import { drop, type Edit, isId, ofProduct, type Pick, put, type Row, without } from './edits.ts';

/** A date this many days from now. */
const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10);
const [SOON, LATER, PAST] = [dayIn(30), dayIn(40), dayIn(-30)];

const noDates = put('prices', ({ price }) => ({ valid_from: '', price: Number(price) || 9 }));
/** Another price of these combinations, from a date on: what `of` gives for the price without a date. */
const from =
  (date: string, of: (price: number) => number | string, isPicked: Pick = () => true): Edit =>
  ({ prices }) => {
    const rows = prices.filter(({ valid_from }) => !valid_from).filter(isPicked);
    const next = (row: Row) => ({ ...row, price: of(Number(row.price)), valid_from: date });
    const first = prices.length * 1000;
    prices.push(...rows.map((row, index) => ({ ...next(row), id: first + index })));
  };
const raise = (price: number) => (price * 1.05).toFixed(2);
const times = (factor: number) => (price: number) => price * factor;
const promotion = [noDates, from(SOON, price => (price * 0.7).toFixed(2)), from(LATER, times(1))];
const has = (date: string) => (row: Row) => row.valid_from === date;
const isDated = ({ valid_from }: Row) => valid_from !== '';
const dates = (to: string, isPicked: Pick) => put('prices', { valid_from: to }, isPicked);
/** Each of the rows has the day after the one before it. */
const drag =
  (isPicked: Pick): Edit =>
  ({ prices }) => {
    for (const [index, row] of prices.filter(isPicked).entries()) row.valid_from = dayIn(30 + index);
  };
const one = isId(12);
/** A price of each of five configurations. */
const five = isId(11, 21, 51, 61, 91);
const noColumn = without('prices', 'valid_from');
const firstPrices = [noDates, dates(SOON, isId(12, 13))];
const twoRises = [noDates, from(SOON, raise, ofProduct(1)), from(LATER, raise, ofProduct(2))];

/** Accidents with dates of prices, by the codes of what is said. */
export const datedAccidents: Record<string, Deeds> = {
  LOST_GUARD: { 'the dates of first prices are deleted': { before: firstPrices, edits: noColumn } },
  EMPTY_GUARD: { 'the dates of first prices are emptied': { before: firstPrices, edits: noDates } },
  FILLED_DATES: {
    'a date is filled down over prices that visitors see': [noDates, dates(SOON, five)],
    'each of them has the next day': [noDates, drag(five)],
    'the date of a rise is dragged down': [noDates, from(SOON, raise), drag(isDated)],
    'dates of two rises become one': { before: twoRises, edits: dates(dayIn(50), isDated) },
  },
  'LOST_ROWS FILLED_DATES NO_PRICE_YET': {
    'a date is filled down over the whole column': [noDates, put('prices', { valid_from: SOON })],
  },
  'LOST_PART NO_PRICE_YET': {
    'prices are deleted, and those to come stay': {
      before: promotion,
      edits: drop('prices', ({ id }) => id < 60),
    },
  },
  ZERO_PRICE: { 'a price to come is 0': [noDates, from(SOON, times(0), one)] },
  FAR_PRICE: {
    'a price to come lacks its point': [noDates, from(SOON, times(100), one)],
  },
  'SHIFTED_PRICES SCALED_VALUES': {
    'prices to come of a product are six times as high': [noDates, from(SOON, times(6), ofProduct(1))],
  },
  'SHIFTED_PRICES LOST_VALUES SAME_PRICE': {
    'prices to come are filled down': [noDates, from(SOON, () => 21.5)],
  },
};

/** What editors do with dates. */
export const datedEdits: Deeds = {
  'a rise of all prices is announced': [noDates, from(SOON, raise)],
  'a promotion is announced': promotion,
  'first prices are announced': [noDates, dates(SOON, ({ rel_id }) => rel_id === 1)],
  'a promotion is called off': { before: promotion, edits: drop('prices', isDated) },
  'a promotion begins at once': { before: promotion, edits: dates(PAST, has(SOON)) },
  'offers end at a date': [noDates, from(SOON, raise), put('prices', { hidden: 'yes' }, has(SOON))],
};
