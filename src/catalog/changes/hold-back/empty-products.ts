import { excerpt } from '../../../messages.ts';
import type { Rule } from './rule.ts';

/** A product stays, but visitors see none of its configurations any more. */
export const emptyProducts: Rule = ({ set }) => {
  const shownBefore = new Set<unknown>();
  const shown = new Set<unknown>();
  return {
    row({ catalog, seenBefore, seenAfter }) {
      if (catalog !== 'configurations') return;
      if (seenBefore) shownBefore.add(seenBefore.product_id);
      if (seenAfter) shown.add(seenAfter.product_id);
    },
    messages() {
      const rows = set.products?.rows ?? [];
      const empty = rows.filter(({ id }) => shownBefore.has(id) && !shown.has(id));
      const [first, ...others] = empty;
      if (!first) return [];
      const more = others.length > 0 ? ` and ${others.length} more` : '';
      const who = `product ${first.id} "${excerpt(String(first.name))}"${more}`;
      return [
        `${who} would have no configurations that visitors see: show one of them, or delete the product`,
      ];
    },
  };
};
