import createPurifier from 'dompurify';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { NewsCard } from '../contract/page.ts';
import { formatDay } from './format.ts';
import { Scrolling, useTitle, Waiting } from './parts/view.tsx';
import { linkTo, query } from './state/address.ts';
import { useAnswer } from './state/ask.ts';
import { pathAt, preview } from './state/token.ts';
import { texts } from './texts.ts';

/** A whole news item, as visitors see it. Showing it does not count as a read. */
export function Article({ id, categories }: { id: number; categories: ReadonlyMap<number, string> }) {
  const item = useAnswer(`overview/news/${id}`, {});
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(item?.title);
  useEffect(() => heading.current?.focus(), [item?.id]);
  return (
    <section>
      <p>
        <a href={linkTo('news', { ...query.value, item: '' })}>{texts.back}</a>
      </p>
      {!item && <Waiting />}
      {item && (
        <article dir="auto" class="whole">
          {item.img && <Picture name={item.img} />}
          <div>
            <h2 tabIndex={-1} ref={heading}>
              {item.title}
            </h2>
            <Facts item={item} category={categories.get(item.type_id ?? 0)} />
            <Scrolling label={item.title}>
              {item.html ? <Content html={item.content} /> : <p class="plain">{item.content}</p>}
            </Scrolling>
            {item.keywords !== '' && <p class="keywords">{item.keywords}</p>}
          </div>
        </article>
      )}
    </section>
  );
}

function Content({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => place.current?.replaceChildren(safeContent(html)), [html]);
  return <div class="content" ref={place} />;
}

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

/** When a news item was written, its category, and how often it was read. */
function Facts({
  item: { id, create_time_formatted: time, read },
  category,
}: {
  item: Pick<NewsCard, 'id' | 'create_time_formatted' | 'read'>;
  category: string | undefined;
}) {
  return (
    <p class="facts">
      <time dateTime={time}>{formatDay(time)}</time>
      {category && <span>{category}</span>}
      <span>{texts.reads(read)}</span>
      <span>{texts.id(id)}</span>
    </p>
  );
}

/** The image of a news item; nothing if it does not load. */
function Picture({ name }: { name: string }) {
  const [failed, setFailed] = useState<string>();
  if (failed === name) return null;
  const address = pathAt(preview.value, `images/${encodeURIComponent(name)}`);
  return <img alt="" loading="lazy" src={address} onError={() => setFailed(name)} />;
}

const purifier = createPurifier(window);

/** How Markdown aligns the cells of a table: the policy of the page lets no style in, but this attribute. */
const ALIGNED = /(<t[dh]) style="text-align:(left|center|right)"/g;

/** Elements that load something by their address. */
const MEDIA = 'img, audio, video, source, track';

purifier.addHook('afterSanitizeAttributes', element => {
  if (element instanceof HTMLAnchorElement) {
    element.target = '_blank';
    element.rel = 'noopener noreferrer';
  }
  const source = element.getAttribute('src');
  if (source !== null && element.matches(MEDIA) && !isOwn(source)) element.removeAttribute('src');
});

/**
 * The content of a news item as elements: without scripts, styles, forms and frames, and with media of this origin only,
 * so that nothing in it runs, imitates the page, or loads anything from elsewhere.
 */
function safeContent(html: string): DocumentFragment {
  return purifier.sanitize(html.replace(ALIGNED, '$1 align=$2'), {
    USE_PROFILES: { html: true },
    FORBID_TAGS: ['style', 'form', 'input', 'button', 'select', 'textarea', 'dialog'],
    FORBID_ATTR: ['style', 'class', 'id', 'name', 'srcset', 'poster', 'background', 'autoplay', 'tabindex'],
    ALLOW_DATA_ATTR: false,
    RETURN_DOM_FRAGMENT: true,
  });
}

function isOwn(address: string): boolean {
  const base = document.baseURI;
  return URL.canParse(address, base) && new URL(address, base).origin === location.origin;
}
