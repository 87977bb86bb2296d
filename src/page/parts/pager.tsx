import { useEffect } from 'preact/hooks';
import type { Pagination } from '../../contract/envelope.ts';
import { choose } from '../state/address.ts';
import { formatNumber } from '../texts/format.ts';
import { texts } from '../texts/texts.ts';

/** The buttons below a list of which a page has `limit` items; nothing if it has only one page. */
export function Pager({ pagination, limit }: { pagination: Pagination; limit: number }) {
  const { current_page: page, total } = pagination;
  const last = Math.ceil(total / limit);
  // A list may have become shorter since somebody kept its address.
  useEffect(() => {
    if (page > Math.max(1, last)) choose({ page: '' }, true);
  }, [page, last]);
  if (last <= 1) return null;
  const go = (to: number) => () => {
    if (to < 1 || to > last) return;
    choose({ page: to === 1 ? '' : String(to) });
    document.getElementById('main')?.scrollIntoView();
  };
  // Not `disabled`, which would drop the keyboard focus.
  return (
    <nav class="pages" aria-label={texts.pages}>
      <button type="button" aria-disabled={page <= 1} onClick={go(page - 1)}>
        {texts.previous}
      </button>
      <span>{texts.page(formatNumber(page), formatNumber(last))}</span>
      <button type="button" aria-disabled={page >= last} onClick={go(page + 1)}>
        {texts.next}
      </button>
    </nav>
  );
}
