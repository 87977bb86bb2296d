import { type Static, Type } from '@sinclair/typebox';
import { rfc3339 } from '../rfc3339.ts';
import type { Feed, FeedFormat, FeedItem } from './feed.ts';

const closed = { additionalProperties: false };
const time = (description: string) => Type.String({ description: `${description} (RFC 3339)` });

const ItemSchema = Type.Object(
  {
    id: Type.String({ description: 'the address of the page of the item' }),
    url: Type.String({ description: 'the same' }),
    title: Type.String({ description: 'plain text' }),
    content_html: Type.String({ description: 'the content as HTML' }),
    content_text: Type.Optional(Type.String({ description: 'the content, where it is plain text' })),
    date_published: time('when it was created'),
    date_modified: time('when it was last changed'),
    tags: Type.Array(Type.String(), { description: 'the name of its type, and its keywords' }),
  },
  { ...closed, title: 'JsonFeedItem' },
);

const AuthorSchema = Type.Object(
  {
    name: Type.String({ description: 'host name of the site' }),
    url: Type.String({ description: 'where the pages of the news are' }),
  },
  { ...closed, title: 'JsonFeedAuthor' },
);

const JsonFeedSchema = Type.Object(
  {
    version: Type.Literal('https://jsonfeed.org/version/1.1', { description: 'the version of the format' }),
    title: Type.String({ description: 'whose news these are' }),
    home_page_url: Type.String({ description: 'where the pages of the news are' }),
    authors: Type.Array(AuthorSchema, { description: 'the site alone' }),
    items: Type.Array(ItemSchema, { description: 'newest first' }),
  },
  { ...closed, title: 'JsonFeed', description: 'a JSON Feed 1.1 document' },
);
export type JsonFeed = Static<typeof JsonFeedSchema>;

/** JSON Feed 1.1. It has no `feed_url`, which would have to be absolute. */
export const jsonFeed: FeedFormat = {
  file: 'news.json',
  mediaType: 'application/feed+json',
  operationId: 'getJsonFeed',
  summary: 'The newest news as a JSON Feed',
  schema: JsonFeedSchema,
  write: feed => JSON.stringify(document(feed)),
};

function document({ title, author, home, items }: Feed): JsonFeed {
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    authors: [{ name: author, url: home }],
    items: items.map(jsonItem),
  };
}

function jsonItem({ url, title, html, text, published, updated, tags }: FeedItem): Static<typeof ItemSchema> {
  return {
    id: url,
    url,
    title,
    content_html: html,
    ...(text !== undefined && { content_text: text }),
    date_published: rfc3339(published),
    date_modified: rfc3339(updated),
    tags,
  };
}
