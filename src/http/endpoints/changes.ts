import { bytesOf, recordBody } from '../../answer/body.ts';
import { pageLinks } from '../../answer/page.ts';
import { strongTag } from '../../answer/representation.ts';
import { type Changes, type ChangesHead, ChangesSchema } from '../../contract/changes.ts';
import { Envelope, NotModified } from '../../contract/envelope.ts';
import { ListQuery } from '../../contract/queries.ts';
import { namesOf } from '../../query/changes.ts';
import { type ChangeTable, withNames } from '../../set/compare/changes.ts';
import type { Snapshot } from '../../snapshot/snapshot.ts';
import { endpoint } from '../endpoint.ts';

/** `GET /changes`. */
export const changeList = endpoint({
  url: '/changes',
  schema: {
    operationId: 'listChanges',
    tags: ['Operation'],
    summary: 'List what the served catalogs changed',
    description:
      'A page of the differences between what visitors see of the served set and what they saw of the one before, catalog by catalog. Hidden rows and news items before their time are not in it. The list holds up to 100,000 changes; `catalogs` counts all of them. A `Link` header leads to the next and the previous page.',
    querystring: ListQuery,
    response: { 200: Envelope(ChangesSchema), 304: NotModified },
  },
  handler({ query, snapshot }) {
    const { changes = unknown, instant } = snapshot;
    // Only who has the token sees a preview.
    const shown = instant === undefined ? changes : (changes.own ?? changes);
    const { json, pagination } = changesPage(shown, snapshot, query);
    const body = recordBody(Buffer.from(json));
    const tag = strongTag(bytesOf(body));
    return { tag, link: pageLinks(ListQuery, query, pagination), body };
  },
});

/** A page of a report of changes in JSON, with names of the `served` set unless it has names. */
function changesPage(table: ChangeTable, served: Snapshot | undefined, { page, limit }: ListQuery) {
  const total = table.changes.length;
  const first = (page - 1) * limit;
  const changes = table.changes.slice(first, first + limit);
  const list = served ? withNames(changes, namesOf(served)) : changes;
  const pagination = { current_page: page, total };
  const json = `{"list":[${list}],"pagination":${JSON.stringify(pagination)},${table.head.slice(1)}`;
  return { json, pagination };
}

/** The first changes of a report that has names. */
export function firstChanges(table: ChangeTable, limit: number): Changes {
  return JSON.parse(changesPage(table, undefined, { page: 1, limit }).json);
}

/** The report of a set without a known one before it. */
const unknownHead: ChangesHead = { from: null, to: null, time: null, catalogs: [] };
const unknown: ChangeTable = { head: JSON.stringify(unknownHead), changes: [] };
