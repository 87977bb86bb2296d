import { Type } from '@sinclair/typebox';
import { rfc3339 } from '../../time-zone.ts';
import type { Feed, FeedFormat, FeedImage, FeedItem } from './feed.ts';
import { xml } from './xml.ts';

/**
 * Atom 1.0 (RFC 4287). Content is always HTML, since readers may join the lines of plain text (section 4.1.3.3).
 * Without `PUBLIC_URL` the feed links to itself by a relative address.
 */
export const atom: FeedFormat = {
  file: 'news.atom',
  mediaType: 'application/atom+xml',
  operationId: 'getAtomFeed',
  standard: 'Atom 1.0',
  schema: Type.String({ description: 'an Atom 1.0 document (RFC 4287)' }),
  write: feed => feedOf(feed).markup,
};

const feedOf = ({ id, title, author, home, search, addressOf, updated, items }: Feed) =>
  xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${id}</id>
<title type="text">${title}</title>
<updated>${rfc3339(updated)}</updated>
<author><name>${author}</name></author>
<link rel="self" type="${atom.mediaType}" href="${addressOf(atom.file) ?? atom.file + search}"/>
<link rel="alternate" type="text/html" href="${home}"/>
<generator>Vitrine</generator>${items.map(entry)}
</feed>
`;

/** Links in the content are relative to the page of the item. */
const entry = ({ url, title, html, tags, image, published, updated }: FeedItem) => xml`
<entry>
<id>${url}</id>
<title type="text">${title}</title>
<published>${rfc3339(published)}</published>
<updated>${rfc3339(updated)}</updated>
<link rel="alternate" type="text/html" href="${url}"/>${image && enclosure(image)}${tags.map(
  tag => xml`
<category term="${tag}"/>`,
)}
<content type="html" xml:base="${url}">${html}</content>
</entry>`;

const enclosure = ({ url, type }: FeedImage) => xml`
<link rel="enclosure" type="${type}" href="${url}"/>`;
