import type { Snapshot } from '../catalog/snapshot/snapshot.ts';
import type { PublishedNews } from './published.ts';

/** The products, each with the number of its configurations. */
export function productCounts({ products, configurationsOf }: Snapshot) {
  return Array.from(products.values(), ({ id, name, description }) => ({
    id,
    name,
    description,
    configurations: configurationsOf.get(id)?.length ?? 0,
  }));
}

/** The news categories, each with the number of its published items. */
export function newsTypeCounts({ newsTypes }: Snapshot, { byType }: PublishedNews) {
  return Array.from(newsTypes.values(), ({ id, name }) => ({ id, name, news: byType.get(id)?.length ?? 0 }));
}
