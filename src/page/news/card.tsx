import type { NewsCard } from '../../contract/page.ts';
import { linkTo, query } from '../state/address.ts';
import { Facts } from './facts.tsx';
import { Picture } from './picture.tsx';

/** More than fit into the lines that are shown. */
const SHOWN_PARAGRAPHS = 4;

/** A news item in a list, with the beginning of its text. */
export function Card({ item, category }: { item: NewsCard; category: string | undefined }) {
  const { id, title, paragraphs, keywords, img } = item;
  return (
    <article dir="auto">
      {img && <Picture name={img} />}
      <div>
        <h3>
          <a href={linkTo('news', { ...query.value, item: String(id) })}>{title}</a>
        </h3>
        <Facts item={item} category={category} />
        <p class="lead">{paragraphs.slice(0, SHOWN_PARAGRAPHS).join('\n')}</p>
        {keywords !== '' && <p class="keywords">{keywords}</p>}
      </div>
    </article>
  );
}
