import { digitsOf } from '../../answer/body.ts';
import { recordBody } from '../../answer/json-bodies.ts';
import type { Representation } from '../../answer/representation.ts';
import { Envelope } from '../../contract/envelope.ts';
import { NewsDetailQuery } from '../../contract/queries.ts';
import { NewsDetailSchema } from '../../contract/records.ts';
import { ApiError } from '../../errors.ts';
import { findNews } from '../../query/news.ts';
import { detailPieces } from '../../snapshot/news-table.ts';
import { type Endpoint, endpoint } from '../endpoint.ts';
import type { NewsOptions } from './news-list.ts';

/** `GET /api/news/{id}`; a GET is a read (SPEC 4.4). */
export function newsDetail({ reads, now }: NewsOptions): Endpoint {
  return endpoint({
    url: '/api/news/:id',
    schema: {
      operationId: 'readNews',
      tags: ['News'],
      summary: 'Read a news item and raise its read count',
      description:
        'The whole news item. Every successful GET counts as one read, and `read` is the count after it. HEAD counts nothing.',
      params: NewsDetailQuery,
      errors: ['INVALID_PARAMETER', 'NEWS_NOT_FOUND', 'NOT_READY'],
      response: { 200: Envelope(NewsDetailSchema) },
    },
    handler({ params: { id }, snapshot, method }) {
      const row = findNews(snapshot, id, now());
      if (row === undefined) throw new ApiError('NEWS_NOT_FOUND', { id });
      const floor = snapshot.news.read[row] ?? 0;
      const { before, after } = detailPieces(snapshot.news, row);
      const detail = (read: number): Representation => ({
        body: recordBody(...before, digitsOf(read), after),
      });
      // Only what is shown at present is read.
      if (snapshot.instant !== undefined) return detail(reads.shown(id, floor));
      const read = method === 'HEAD' ? reads.shown(id, floor) + 1 : reads.raise(id, floor);
      return typeof read === 'number' ? detail(read) : read.then(detail);
    },
  });
}
