import { stringify } from 'node:querystring';
import { Readable } from 'node:stream';
import type { Static, TObject } from '@sinclair/typebox';
import type { FastifyInstance, FastifyReply, FastifyRequest, FastifySchema } from 'fastify';
import type { Answer, Answers } from '../answer/answers.ts';
import { bytesOf, isLarge } from '../answer/body.ts';
import { codingFor } from '../answer/compression.ts';
import { contentHeaders, matches, metadataHeaders, type Representation } from '../answer/representation.ts';
import type { ErrorCode } from '../errors.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';

/** The schema of a route, with what the OpenAPI document says about it. */
export interface RouteSchema extends FastifySchema {
  operationId: string;
  tags: readonly string[];
  summary: string;
  /** What clients need to know, in a few sentences. */
  description: string;
  /** The errors of the route, in addition to those of any request. */
  errors: readonly ErrorCode[];
}

/** The schema of a route that is in no OpenAPI document. A host's hook may ask each route for a schema. */
export const unlisted: FastifySchema & { hide: true } = { hide: true };

/** A request, as a handler sees it, parsed by the schema. */
interface Asked<Query, Params> {
  query: Query;
  params: Params;
  snapshot: Snapshot;
  /** `HEAD` asks for the headers of a GET, and counts no read. */
  method: string;
}

/** One without `operationId` is not in the OpenAPI document. Errors that every endpoint has are added to its own. */
type EndpointSchema<Query, Params> = Partial<RouteSchema> & {
  querystring?: Query;
  params?: Params;
};

/** A route whose answers depend on the snapshot. Fastify registers it, and the fast path answers it without Fastify. */
export type Endpoint = ReturnType<typeof endpoint>;
/** What a request asks for, whatever the snapshot. */
export type Question = ReturnType<Endpoint['ask']>;

type None = TObject<Record<never, never>>;

/** Makes an endpoint. The schema gives the types of the handler's parameters. */
export function endpoint<Query extends TObject = None, Params extends TObject = None>({
  url,
  schema: given,
  handler,
}: {
  /** Its pattern below the mount point, such as `/api/news/:id`. A parameter in it must be the last part. */
  url: string;
  schema: EndpointSchema<Query, Params>;
  handler(asked: Asked<Static<Query>, Static<Params>>): Representation | Promise<Representation>;
}) {
  const schema: typeof given = {
    ...given,
    errors: ['INVALID_PARAMETER', ...(given.errors ?? []), 'NOT_READY'],
  };
  /** The question of parameters that were parsed by the schema. */
  const ask = (query: object | undefined, params: object | undefined) => ({
    /** The same for all addresses that mean the same. Joined, since a string that grows by `+=` takes four times the memory. */
    key: [url, stringify({ ...query, ...params })].join('?'),
    /** @throws ApiError and any other error that Fastify turns into an error response. */
    answer: (snapshot: Snapshot, method: string) =>
      handler({ query: query as Static<Query>, params: params as Static<Params>, snapshot, method }),
  });
  return {
    url,
    schema,
    ask,
    register(app: FastifyInstance, answers: Answers): void {
      app.get(url, { schema }, async (request, reply) => {
        const { query, params, snapshot, method } = request;
        const { key, answer } = ask(schema.querystring && Object(query), schema.params && Object(params));
        const known = answers.current(snapshot, key);
        return send(
          known ?? answers.prepare(snapshot, key, await answer(snapshot, method)),
          request,
          reply,
          answers,
        );
      });
    },
  };
}

async function send(answer: Answer, { headers }: FastifyRequest, reply: FastifyReply, answers: Answers) {
  const { representation, isNegotiated } = answer;
  const { tag } = representation;
  const vary = reply.getHeader('vary');
  reply.headers(metadataHeaders(representation, isNegotiated, answers.cachingHeaders, vary));
  if (tag !== undefined && matches(headers['if-none-match'], tag)) return reply.code(304).send();
  const { content, coding } = await answer.contentIn(codingFor(headers['accept-encoding']?.toString()));
  reply.headers(contentHeaders(representation, content, coding));
  return reply.send(isLarge(content) ? Readable.from(content) : bytesOf(content));
}
