import assert from 'node:assert/strict';
import { childrenOf, type Element, parseXml } from './xml.ts';

/** What a reader gets of a feed, whatever it is written in. */
export interface ReadFeed {
  title: string;
  home: string;
  /** Its own address, where it says it. */
  own: string | undefined;
  items: ReadItem[];
}
interface ReadItem {
  id: string;
  title: string;
  html: string;
  tags: string[];
  /** The address of its image. */
  image: string | undefined;
  /** Milliseconds since 1970. */
  published: number;
}

/** How often an element stands in another: once, at most once, or any number of times. */
type Occurrence = 'one' | 'option' | 'many';

/** Asserts that an element has the children that it must and may have, and no others. */
function assertChildren(element: Element, rules: Record<string, Occurrence>, uri: string): void {
  for (const { name, uri: own } of element.children) {
    assert.ok(name in rules, `${name} in ${element.name}`);
    assert.equal(own, uri, name);
  }
  for (const [name, occurrence] of Object.entries(rules)) {
    const { length } = childrenOf(element, name);
    if (occurrence === 'one') assert.equal(length, 1, `${length} times ${name} in ${element.name}`);
    if (occurrence === 'option') assert.ok(length <= 1, `${length} times ${name} in ${element.name}`);
  }
}

/** What an element has as its only child of this name. */
function only(element: Element, name: string): Element {
  const [child, ...others] = childrenOf(element, name);
  assert.ok(child && others.length === 0, `one ${name} in ${element.name}`);
  return child;
}

function absolute(address = ''): string {
  assert.match(address, /^https?:\/\/[^\s/]+\/\S*$/);
  assert.equal(new URL(address).href, address);
  return address;
}

/** RFC 3339. */
function rfc3339(text: string): number {
  assert.match(text, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?(Z|[+-]\d\d:\d\d)$/);
  assert.ok(Number.isFinite(Date.parse(text)), text);
  return Date.parse(text);
}

/** RFC 822, section 5, with four digits of year. */
function rfc822(text: string): number {
  assert.equal(new Date(text).toUTCString(), text);
  return Date.parse(text);
}

function assertUnique(ids: readonly string[]): void {
  assert.equal(new Set(ids).size, ids.length, 'an id twice');
}

const ATOM = 'http://www.w3.org/2005/Atom';
const atomCommon = { id: 'one', title: 'one', updated: 'one', link: 'many', category: 'many' } as const;

/** Asserts the rules of RFC 4287, sections 3 and 4, as far as they concern elements that are there. */
export function readAtom(document: string): ReadFeed {
  const feed = parseXml(document);
  assert.deepEqual([feed.name, feed.uri], ['feed', ATOM]);
  assertChildren(feed, { ...atomCommon, author: 'one', generator: 'option', entry: 'many' }, ATOM);
  assertChildren(only(feed, 'author'), { name: 'one' }, ATOM);
  assert.notEqual(only(feed, 'author').text, '');
  const self = childrenOf(feed, 'link').filter(({ attributes }) => attributes.rel === 'self');
  assert.equal(self.length, 1);
  rfc3339(only(feed, 'updated').text);
  const entries = childrenOf(feed, 'entry');
  assertUnique([feed, ...entries].map(element => absolute(only(element, 'id').text)));
  assert.equal(only(feed, 'title').attributes.type, 'text');
  return {
    title: only(feed, 'title').text,
    home: alternateOf(feed),
    own: self[0]?.attributes.href,
    items: entries.map(readEntry),
  };
}

/** Where a link of RFC 4287, section 4.2.7, leads that is the same in another form. */
function alternateOf(element: Element): string {
  const [link, ...others] = childrenOf(element, 'link').filter(
    ({ attributes }) => attributes.rel === 'alternate',
  );
  assert.equal(others.length, 0);
  return absolute(link?.attributes.href);
}

function readEntry(entry: Element): ReadItem {
  assertChildren(entry, { ...atomCommon, published: 'option', content: 'option' }, ATOM);
  const [title, content] = [only(entry, 'title'), only(entry, 'content')];
  assert.deepEqual([title.attributes.type, content.attributes.type], ['text', 'html']);
  assert.deepEqual([...title.children, ...content.children], []);
  rfc3339(only(entry, 'updated').text);
  const id = only(entry, 'id').text;
  assert.deepEqual([alternateOf(entry), content.attributes['xml:base']], [id, id]);
  return {
    id,
    title: title.text,
    html: content.text,
    tags: childrenOf(entry, 'category').map(({ attributes }) => {
      assert.ok(attributes.term);
      return attributes.term;
    }),
    image: childrenOf(entry, 'link').find(({ attributes }) => attributes.rel === 'enclosure')?.attributes
      .href,
    published: rfc3339(only(entry, 'published').text),
  };
}

/** Asserts the rules of RSS 2.0, as the RSS Advisory Board has them; a feed may have its own address in Atom's element. */
export function readRss(document: string): ReadFeed {
  const rss = parseXml(document);
  assert.deepEqual([rss.name, rss.uri, rss.attributes.version], ['rss', '', '2.0']);
  assertChildren(rss, { channel: 'one' }, '');
  const whole = only(rss, 'channel');
  const [own, ...more] = whole.children.filter(({ uri }) => uri === ATOM);
  assert.equal(more.length, 0);
  if (own) assert.deepEqual([own.attributes.rel, own.attributes.type], ['self', 'application/rss+xml']);
  const channel = { ...whole, children: whole.children.filter(({ uri }) => uri !== ATOM) };
  const required = { title: 'one', link: 'one', description: 'one' } as const;
  assertChildren(channel, { ...required, lastBuildDate: 'option', generator: 'option', item: 'many' }, '');
  rfc822(only(channel, 'lastBuildDate').text);
  const items = childrenOf(channel, 'item').map(item => {
    assertChildren(
      item,
      { ...required, guid: 'one', pubDate: 'one', category: 'many', enclosure: 'option' },
      '',
    );
    for (const { attributes } of childrenOf(item, 'enclosure')) {
      assert.deepEqual(Object.keys(attributes).sort(), ['length', 'type', 'url']);
    }
    assert.equal(only(item, 'guid').attributes.isPermaLink, 'true');
    assert.equal(only(item, 'link').text, only(item, 'guid').text);
    return {
      id: absolute(only(item, 'guid').text),
      title: only(item, 'title').text,
      html: only(item, 'description').text,
      tags: childrenOf(item, 'category').map(({ text }) => text),
      image: childrenOf(item, 'enclosure')[0]?.attributes.url,
      published: rfc822(only(item, 'pubDate').text),
    };
  });
  assertUnique(items.map(({ id }) => id));
  return {
    title: only(channel, 'title').text,
    home: absolute(only(channel, 'link').text),
    own: own?.attributes.href,
    items,
  };
}

/** Asserts the rules of JSON Feed 1.1. */
export function readJsonFeed(document: string): ReadFeed {
  const { version, title, home_page_url, feed_url, authors, items } = JSON.parse(document);
  assert.equal(version, 'https://jsonfeed.org/version/1.1');
  assert.ok(document.isWellFormed() && !/\\ud[89a-f]/i.test(document), 'a lone surrogate');
  for (const author of authors) assert.ok(author.name && absolute(author.url));
  const read = items.map((item: Record<string, string> & { tags: string[] }) => {
    assert.equal(item.url, item.id);
    rfc3339(String(item.date_modified));
    return {
      id: absolute(item.id),
      title: item.title,
      html: item.content_html,
      tags: item.tags,
      image: item.image,
      published: rfc3339(String(item.date_published)),
    };
  });
  assertUnique(read.map(({ id }: ReadItem) => id));
  return { title, home: absolute(home_page_url), own: feed_url, items: read };
}
