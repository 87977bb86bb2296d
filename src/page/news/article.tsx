import { useEffect, useRef } from 'preact/hooks';
import { JsonLink } from '../parts/json-link.tsx';
import { Scrolling } from '../parts/scrolling.tsx';
import { linkTo, query } from '../state/address.ts';
import { useAnswer } from '../state/use-answer.ts';
import { texts } from '../texts/texts.ts';
import { Facts } from './facts.tsx';
import { Picture } from './picture.tsx';
import { safeContent } from './safe-content.ts';

/** A whole news item, as visitors see it. Showing it does not count as a read. */
export function Article({ id, categories }: { id: number; categories: ReadonlyMap<number, string> }) {
  const path = `overview/news/${id}` as const;
  const item = useAnswer(path, {});
  return (
    <>
      <p>
        <a href={linkTo('news', { ...query.value, item: '' })}>{texts.back}</a>
      </p>
      {item && (
        <article dir="auto" class="whole">
          {item.img && <Picture name={item.img} />}
          <div>
            <h3>{item.title}</h3>
            <Facts item={item} category={categories.get(item.type_id ?? 0)} />
            <Scrolling label={item.title}>
              {item.html ? <Content html={item.content} /> : <p class="plain">{item.content}</p>}
            </Scrolling>
            {item.keywords !== '' && <p class="keywords">{item.keywords}</p>}
          </div>
        </article>
      )}
      <JsonLink path={path} />
    </>
  );
}

function Content({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.replaceChildren(safeContent(html)), [html]);
  return <div class="content" ref={place} />;
}
