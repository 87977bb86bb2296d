import { stringify } from 'node:querystring';
import type { Static, TObject } from '@sinclair/typebox';
import type { FastifyInstance } from 'fastify';
import type { Representation } from '../answer/representation.ts';
import type { Snapshot } from '../snapshot/snapshot.ts';
import type { RouteSchema } from './plugins/representations.ts';

/** A request, as a handler sees it, parsed by the schema. */
interface Asked<Query, Params> {
  query: Query;
  params: Params;
  snapshot: Snapshot;
  /** `HEAD` asks for the headers of a GET, and counts no read. */
  method: string;
}

/** What a request asks for, whatever the snapshot. */
export interface Question {
  /** The same for all addresses that mean the same. */
  key: string;
  /** @throws ApiError and any other error that Fastify turns into an error response. */
  answer(snapshot: Snapshot, method: string): Representation | Promise<Representation>;
}

/** One without `operationId` is not in the OpenAPI document. */
type EndpointSchema<Query, Params> = Partial<RouteSchema> & {
  querystring?: Query;
  params?: Params;
};

/** A route whose answers depend on the snapshot. Fastify registers it, and the fast path answers it without Fastify. */
export interface Endpoint {
  /** Its pattern below the mount point, such as `/api/news/:id`. */
  readonly url: string;
  readonly schema: EndpointSchema<TObject, TObject>;
  /** The question of parameters that were parsed by the schema. */
  ask(query: object | undefined, params: object | undefined): Question;
  /** Registers it with an instance that sends representations. */
  register(app: FastifyInstance): void;
}

/** No parameters. */
type None = TObject<Record<never, never>>;

/** Makes an endpoint. The schema gives the types of the handler's parameters. */
export function endpoint<Query extends TObject = None, Params extends TObject = None>({
  url,
  schema,
  handler,
}: {
  /** A parameter in it must be the last part. */
  url: string;
  schema: EndpointSchema<Query, Params>;
  handler(asked: Asked<Static<Query>, Static<Params>>): Representation | Promise<Representation>;
}): Endpoint {
  const ask = (query: object | undefined, params: object | undefined): Question => ({
    // Joined, since a string that grows by `+=` takes four times the memory.
    key: [url, stringify({ ...query, ...params })].join('?'),
    // The values were parsed by these schemas.
    answer: (snapshot, method) =>
      handler({ query: query as Static<Query>, params: params as Static<Params>, snapshot, method }),
  });
  return {
    url,
    schema,
    ask,
    register(app) {
      app.get(url, { schema }, async ({ query, params, snapshot, method }) => {
        const { key, answer } = ask(schema.querystring && Object(query), schema.params && Object(params));
        return (
          app.answers.current(snapshot, key) ??
          app.answers.prepare(snapshot, key, await answer(snapshot, method))
        );
      });
    },
  };
}
