import { cachePerSnapshot } from '../../answer/answers.ts';
import { type Body, startingWith } from '../../answer/body.ts';
import { recordHalves } from '../../answer/json-bodies.ts';
import type { Representation } from '../../answer/representation.ts';
import { NewsDetailQuery } from '../../contract/queries.ts';
import { NewsDetailSchema } from '../../contract/records.ts';
import { ApiError } from '../../errors.ts';
import { findNews } from '../../query/news.ts';
import { detailPieces } from '../../snapshot/news-table.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import { RepresentationOf } from '../plugins/representations.ts';
import type { NewsOptions } from './news-list.ts';

/** `GET /api/news/{id}`; a GET is a read (SPEC 4.4). */
export function newsDetail({ reads, now }: NewsOptions): Endpoint {
  return endpoint({
    method: 'GET',
    url: '/api/news/:id',
    schema: {
      operationId: 'readNews',
      tags: ['News'],
      summary: 'Read a news item and raise its read count',
      description:
        'The whole news item. Every successful GET counts as one read, and `read` is the count after it. HEAD counts nothing.',
      params: NewsDetailQuery,
      errors: ['INVALID_PARAMETER', 'NEWS_NOT_FOUND', 'NOT_READY'],
      response: { 200: RepresentationOf(NewsDetailSchema) },
    },
    handler({ params: { id }, snapshot, method }) {
      const row = findNews(snapshot, id, now());
      if (row === undefined) throw new ApiError('NEWS_NOT_FOUND', { id });
      const floor = snapshot.news.read[row] ?? 0;
      const { before, after } = halvesOf(snapshot, row);
      const detail = (read: number): Representation => ({ body: startingWith(before, read + after) });
      // Only what is shown at present is read.
      if (snapshot.instant !== undefined) return detail(reads.shown(id, floor));
      const read = method === 'HEAD' ? reads.shown(id, floor) + 1 : reads.raise(id, floor);
      return typeof read === 'number' ? detail(read) : read.then(detail);
    },
  });
}

/** The envelope of a news item up to its read count, and after it. */
interface Halves {
  before: Body;
  after: string;
}

/** About how many bytes two halves take in addition to their strings. */
const HALVES_BYTES = 200;
const halvesCacheOf = cachePerSnapshot<Halves>(0.2);

/** Cutting them out is most of the work of a read. */
function halvesOf(snapshot: Snapshot, row: number): Halves {
  const cache = halvesCacheOf(snapshot);
  const key = String(row);
  const known = cache.get(key);
  if (known) return known;
  const pieces = detailPieces(snapshot.news, row);
  const [before, after] = recordHalves(pieces.before, pieces.after);
  const size = HALVES_BYTES + (typeof before === 'string' ? before.length : 0) + after.length;
  cache.set(key, { before, after }, { size });
  return { before, after };
}
