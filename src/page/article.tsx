import { useEffect, useMemo, useRef } from 'preact/hooks';
import { hasMarkup, separatorOf, unseenTags } from '../contract/html-elements.ts';
import type { IncludingNewsItem } from '../contract/records.ts';
import { formatDay, formatFields, plural } from './format.ts';
import { Scrolling, useTitle, Waiting } from './parts/view.tsx';
import { linkTo, query } from './state/address.ts';
import { attempt, useAnswer } from './state/ask.ts';
import { pathAt, preview } from './state/token.ts';

/** A whole news item, as visitors see it. It counts no read. */
export function Article({ id, categories }: { id: number; categories: ReadonlyMap<number, string> }) {
  const answer = useAnswer('api/news', { ids: String(id), include: 'img,type_id,extra' });
  const [item] = answer?.list ?? [];
  const heading = useRef<HTMLHeadingElement>(null);
  useTitle(item?.title);
  useEffect(() => heading.current?.focus(), [item?.id]);
  return (
    <section>
      <p>
        <a href={linkTo('news', { ...query.value, item: '' })}>Back to the list</a>
      </p>
      {!answer && <Waiting />}
      {answer && !item && <p>No news.</p>}
      {item && (
        <article dir="auto" class="whole">
          {item.img && <Picture name={item.img} />}
          <div>
            <h2 tabIndex={-1} ref={heading}>
              {item.title}
            </h2>
            <Facts item={item} category={categories.get(item.type_id ?? 0)} />
            <Scrolling label={item.title}>
              {isHtml(item.content) ? <Content html={item.content} /> : <p class="plain">{item.content}</p>}
            </Scrolling>
            {item.keywords !== '' && <p class="keywords">{item.keywords}</p>}
            {item.extra && <p class="keywords">{formatFields(item.extra)}</p>}
          </div>
        </article>
      )}
    </section>
  );
}

/** The code that cleans HTML is a third of the page, so it is loaded on first use. */
function Content({ html }: { html: string }) {
  const place = useRef<HTMLDivElement>(null);
  useEffect(() => {
    const show = async () => {
      const { safeContent } = await import('./purify.ts');
      place.current?.replaceChildren(safeContent(html));
    };
    void attempt(show);
  }, [html]);
  return <div class="content" ref={place} />;
}

interface Categorized {
  item: IncludingNewsItem;
  category: string | undefined;
}

/** A news item in a list, with the beginning of its text. */
export function Card({ item, category }: Categorized) {
  const { id, title, content, keywords, img } = item;
  const lead = useMemo(() => leadOf(content), [content]);
  return (
    <article dir="auto">
      {img && <Picture name={img} />}
      <div>
        <h3>
          <a href={linkTo('news', { ...query.value, item: String(id) })}>{title}</a>
        </h3>
        <Facts item={item} category={category} />
        <p class="lead">{lead}</p>
        {keywords !== '' && <p class="keywords">{keywords}</p>}
      </div>
    </article>
  );
}

function Facts({ item: { id, create_time_formatted: time, read }, category }: Categorized) {
  return (
    <p class="facts">
      <time dateTime={time}>{formatDay(time)}</time>
      {category && <span>{category}</span>}
      <span>{plural(read, 'read')}</span>
      <span>id {id}</span>
    </p>
  );
}

/** Keeps its place empty if the image does not load, so that nothing moves. */
function Picture({ name }: { name: string }) {
  const address = pathAt(preview.value, `images/${encodeURIComponent(name)}`);
  return (
    <div class="picture">
      <img key={address} alt="" loading="lazy" src={address} />
    </div>
  );
}

// Contents are handled as text. If they were parsed, the browser would report everything that the policy blocks.

/** Whether a content is HTML, by the rules of the service: it has a known tag, a comment or a reference. */
function isHtml(content: string): boolean {
  if (hasMarkup(content)) return true;
  const candidates = content.match(/&#?\w+;/g) ?? [];
  // What is not a reference, or only begins like one, such as `&notit;`, keeps its semicolon.
  const isReference = (text: string) => text === ';' || !text.endsWith(';');
  return candidates.length > 0 && decoded(candidates.join('\n')).split('\n').some(isReference);
}

/** Decodes the references in a text. Nothing in it becomes an element. */
function decoded(text: string): string {
  const page = new DOMParser().parseFromString(`.${text.replaceAll('<', '&lt;')}`, 'text/html');
  return page.body.textContent?.slice(1) ?? '';
}

/** More than fits into the lines that are shown: characters of content, and lines. */
const BEGINNING = 4_000;
const SHOWN_LINES = 4;

/** Invisible elements and comments. */
const UNSEEN = new RegExp(`<(${[...unseenTags].join('|')})\\b.*?(?=</\\1|$)|<!--.*?(?:-->|$)`, 'gi');

/** Returns the first lines of a content as text. */
function leadOf(content: string): string {
  const beginning = content.slice(0, BEGINNING);
  const lines = isHtml(beginning) ? linesOf(beginning) : beginning.split(/\r?\n\s*\n/);
  const shown = lines.map(line => line.trim()).filter(Boolean);
  return shown.slice(0, SHOWN_LINES).join('\n');
}

function linesOf(html: string): string[] {
  const seen = html.replace(/\s+/g, ' ').replace(UNSEEN, '');
  const separate = (_tag: string, name: string) => separatorOf(name.toLowerCase());
  return decoded(seen.replace(/<\/?([a-z][^\s<>/]*)[^>]*>?/gi, separate)).split('\n');
}
