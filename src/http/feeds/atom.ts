import { Type } from '@sinclair/typebox';
import { rfc3339 } from '../rfc3339.ts';
import type { Feed, FeedFormat, FeedItem } from './feed.ts';
import { xml } from './xml.ts';

/**
 * Atom 1.0 (RFC 4287). Content is always HTML, since readers may run together the lines of a text (section 4.1.3.3).
 * The feed's own address is relative, since the service does not know under which one it is seen.
 */
export const atom: FeedFormat = {
  file: 'news.atom',
  mediaType: 'application/atom+xml',
  operationId: 'getAtomFeed',
  summary: 'The newest news as an Atom feed',
  schema: Type.String({ description: 'an Atom 1.0 document (RFC 4287)' }),
  write: feed => document(feed).markup,
};

const document = ({ id, title, author, home, search, updated, items }: Feed) =>
  xml`<?xml version="1.0" encoding="utf-8"?>
<feed xmlns="http://www.w3.org/2005/Atom">
<id>${id}</id>
<title type="text">${title}</title>
<updated>${rfc3339(updated)}</updated>
<author><name>${author}</name></author>
<link rel="self" type="${atom.mediaType}" href="${atom.file + search}"/>
<link rel="alternate" type="text/html" href="${home}"/>
<generator>Vitrine</generator>${items.map(entry)}
</feed>
`;

/** Links in the content are relative to the item's page. */
const entry = ({ url, title, html, tags, published, updated }: FeedItem) => xml`
<entry>
<id>${url}</id>
<title type="text">${title}</title>
<published>${rfc3339(published)}</published>
<updated>${rfc3339(updated)}</updated>
<link rel="alternate" type="text/html" href="${url}"/>${tags.map(
  tag => xml`
<category term="${tag}"/>`,
)}
<content type="html" xml:base="${url}">${html}</content>
</entry>`;
