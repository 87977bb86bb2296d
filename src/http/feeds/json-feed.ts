import { type Static, Type } from '@sinclair/typebox';
import { rfc3339 } from '../../time-zone.ts';
import type { Feed, FeedFormat, FeedItem } from './feed.ts';

const closed = { additionalProperties: false };
const time = (description: string) => Type.String({ description: `${description} (RFC 3339)` });

const ItemSchema = Type.Object(
  {
    id: Type.String({ description: 'URL of the news page' }),
    url: Type.String({ description: 'the same URL' }),
    title: Type.String({ description: 'plain text' }),
    content_html: Type.String({ description: 'the content as HTML' }),
    content_text: Type.Optional(Type.String({ description: 'the content, if it is plain text' })),
    image: Type.Optional(Type.String({ description: 'URL of the image, if `PUBLIC_URL` is set' })),
    date_published: time('creation time'),
    date_modified: time('time of the last change'),
    tags: Type.Array(Type.String(), { description: 'the name of the category, then the keywords' }),
  },
  { ...closed, title: 'JsonFeedItem' },
);

const AuthorSchema = Type.Object(
  {
    name: Type.String({ description: 'host name of the site' }),
    url: Type.String({ description: 'URL of the news section' }),
  },
  { ...closed, title: 'JsonFeedAuthor' },
);

const JsonFeedSchema = Type.Object(
  {
    version: Type.Literal('https://jsonfeed.org/version/1.1', { description: 'version of the format' }),
    title: Type.String({ description: 'title of the feed' }),
    home_page_url: Type.String({ description: 'URL of the news section' }),
    feed_url: Type.Optional(Type.String({ description: 'URL of this feed, if `PUBLIC_URL` is set' })),
    authors: Type.Array(AuthorSchema, { description: 'the site' }),
    items: Type.Array(ItemSchema, { description: 'newest first' }),
  },
  { ...closed, title: 'JsonFeed', description: 'a JSON Feed 1.1 document' },
);
export type JsonFeed = Static<typeof JsonFeedSchema>;

/** JSON Feed 1.1. `feed_url` has to be absolute, so only a service with `PUBLIC_URL` has it. */
export const jsonFeed: FeedFormat = {
  file: 'news.json',
  mediaType: 'application/feed+json',
  operationId: 'getJsonFeed',
  standard: 'JSON Feed 1.1',
  schema: JsonFeedSchema,
  write: feed => JSON.stringify(feedOf(feed)),
};

function feedOf({ title, author, home, addressOf, items }: Feed): JsonFeed {
  const feed_url = addressOf(jsonFeed.file);
  return {
    version: 'https://jsonfeed.org/version/1.1',
    title,
    home_page_url: home,
    ...(feed_url && { feed_url }),
    authors: [{ name: author, url: home }],
    items: items.map(jsonItem),
  };
}

function jsonItem({
  url,
  title,
  html,
  text,
  image,
  published,
  updated,
  tags,
}: FeedItem): Static<typeof ItemSchema> {
  return {
    id: url,
    url,
    title,
    content_html: html,
    ...(text !== undefined && { content_text: text }),
    ...(image && { image: image.url }),
    date_published: rfc3339(published),
    date_modified: rfc3339(updated),
    tags,
  };
}
