/** The `rel_type` of a price that belongs to a recommended configuration; no others are served. */
export const CONFIGURATION_PRICE = 1;
