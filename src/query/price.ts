import type { Price } from '../catalog/schemas.ts';
import { priceKey, type Snapshot } from '../catalog/snapshot.ts';
import type { PriceQuery } from './queries.ts';

/** The price of a combination (SPEC 4.2), or the first part of it that does not exist, `price` being the combination itself. */
export function findPrice(
  snapshot: Snapshot,
  { product_id, recommend_config_id, duration_id }: PriceQuery,
): Price | 'product' | 'configuration' | 'duration' | 'price' {
  const price = snapshot.prices.get(priceKey(product_id, recommend_config_id, duration_id));
  if (price) return price;
  if (!snapshot.products.has(product_id)) return 'product';
  if (!snapshot.configurations.has(recommend_config_id)) return 'configuration';
  if (snapshot.durations && !snapshot.durations.has(duration_id)) return 'duration';
  return 'price';
}
