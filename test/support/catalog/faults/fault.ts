import type { Files } from '../../catalogs.ts';
import type { Options } from '../forms.ts';

/** One fault: the files that have it (the others are those of the shop), what is told of it, and the settings that it needs. */
export type Fault = [files: Files, told: string, options?: Options];

export const PRICES = 'id,product_id,rel_id,duration_id,price\n';

/** Prices of which the second row has the fault. */
export const prices = (row: string): Files => ({ 'prices.csv': `${PRICES}101,1,11,1,5\n${row}\n` });

export const products = (json: string): Files => ({ 'products.json': json });
