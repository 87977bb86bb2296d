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

/** The schema of a route that is in the OpenAPI document. */
export interface RouteSchema extends FastifySchema {
  operationId: string;
  tags: readonly string[];
  summary: string;
  description: string;
  /** The errors of the route, besides those of every request. */
  errors?: readonly ErrorCode[];
}

/** The schema of a route outside the OpenAPI document. Not undefined, since a host's hook may read each route's schema. */
export const undocumented: FastifySchema & { hide: true } = { hide: true };

/** A request as a handler sees it, parsed by the schema. */
interface Asked<Query, Params> {
  query: Query;
  params: Params;
  snapshot: Snapshot;
  /** `GET`, or `HEAD`, which counts no read. */
  method: string;
  /** The time, in Unix seconds. */
  now(): number;
}

/** Without `operationId`, the endpoint is not in the OpenAPI document. */
type EndpointSchema<Query, Params> = Partial<RouteSchema> & {
  querystring?: Query;
  params?: Params;
};

/** A route that answers from the snapshot, through Fastify or on the fast path. */
export type Endpoint = ReturnType<typeof endpoint>;
/** A parsed request that any snapshot can answer. */
export type ParsedRequest = ReturnType<Endpoint['ask']>;

type None = TObject<Record<never, never>>;

/** Makes an endpoint. The schema determines the types of the handler's parameters. */
export function endpoint<Query extends TObject = None, Params extends TObject = None>({
  url,
  schema: given,
  handler,
}: {
  /** The pattern below the mount point, such as `/api/news/:id`. A parameter must be the last part. */
  url: string;
  schema: EndpointSchema<Query, Params>;
  handler(asked: Asked<Static<Query>, Static<Params>>): Representation | Promise<Representation>;
}) {
  const errors: ErrorCode[] = ['INVALID_PARAMETER', ...(given.errors ?? []), 'NOT_READY'];
  const schema = { ...given, errors };
  /** Makes a request of parsed parameters. */
  const ask = (query: object | undefined, params: object | undefined) => ({
    /** The same for all URLs with the same meaning. Uses join(), since `+=` makes strings that take four times the memory. */
    key: [url, stringify({ ...query, ...params })].join('?'),
    /** @throws ApiError, or any other error, which Fastify turns into an error response. */
    answer: (snapshot: Snapshot, method: string, now: () => number) =>
      handler({ query: query as Static<Query>, params: params as Static<Params>, snapshot, method, now }),
  });
  return {
    url,
    schema,
    ask,
    register(app: FastifyInstance, answers: Answers): void {
      app.get(url, { schema }, async (request, reply) => {
        const { query, params, snapshot, method } = request;
        const parsed = ask(schema.querystring && Object(query), schema.params && Object(params));
        return send(await answerTo(parsed, snapshot, method, answers), request, reply, answers);
      });
    },
  };
}

/** Returns the answer to a request, a cached one if it is current. @throws what the handler throws. */
export function answerTo(
  { key, answer }: ParsedRequest,
  snapshot: Snapshot,
  method: string,
  answers: Answers,
): Answer | Promise<Answer> {
  const known = answers.current(snapshot, key);
  if (known) return known;
  const prepare = (made: Representation) => answers.prepare(snapshot, key, made);
  const made = answer(snapshot, method, answers.now);
  return made instanceof Promise ? made.then(prepare) : prepare(made);
}

async function send(answer: Answer, { headers }: FastifyRequest, reply: FastifyReply, answers: Answers) {
  const { representation, isNegotiated } = answer;
  const vary = reply.getHeader('vary');
  reply.headers(metadataHeaders(representation, isNegotiated, answers.cachingHeaders, vary));
  if (matches(headers['if-none-match'], representation.tag)) return reply.code(304).send();
  const { content, coding } = await answer.contentIn(codingFor(headers['accept-encoding']?.toString()));
  reply.headers(contentHeaders(representation, content, coding));
  return reply.send(isLarge(content) ? Readable.from(content) : bytesOf(content));
}
