import type { FastifyPluginCallbackTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { success } from '../../answer/envelope.ts';
import { Envelope } from '../../contract/envelope.ts';
import { type Action, type Control, ControlSchema } from '../../contract/history.ts';
import { VersionQuery } from '../../contract/queries.ts';
import type { ErrorCode } from '../../errors.ts';
import type { OnDamage } from '../../history/entries.ts';
import type { Entry } from '../../history/entry.ts';
import { pinVersion, publishHeld, unpinVersion } from '../../live/control.ts';
import type { LiveCatalog } from '../../live/live.ts';
import type { RouteSchema } from '../plugins/representations.ts';
import { clientOf } from '../server/client-address.ts';
import { HISTORY_PATH, refusalOf } from './access.ts';

const common = {
  tags: ['History'],
  security: [{ previewToken: [] }],
  response: { 200: Envelope(ControlSchema) },
} as const;
const always = ['ROUTE_NOT_FOUND', 'HISTORY_UNAVAILABLE'] as const satisfies ErrorCode[];

const pinSchema = {
  ...common,
  operationId: 'pinVersion',
  summary: 'Roll back to a version',
  description:
    'Pins a version of the history, as `vitrine rollback` does: the service serves it within a second, and loads no changed files until it is unpinned. A body is ignored. The token has to come as `Authorization: Bearer`; a cookie does not count.',
  params: VersionQuery,
  errors: [...always, 'INVALID_PARAMETER', 'VERSION_NOT_FOUND', 'VERSION_DAMAGED'],
} satisfies RouteSchema;

const unpinSchema = {
  ...common,
  operationId: 'unpinVersion',
  summary: 'Load the files again',
  description:
    'Unpins the version that is pinned in the history, as `vitrine unpin` does. A body is ignored. The token has to come as `Authorization: Bearer`; a cookie does not count.',
  errors: [...always, 'STILL_PINNED'],
} satisfies RouteSchema;

const publishSchema = {
  ...common,
  operationId: 'publishVersion',
  summary: 'Confirm the set that is held back',
  description:
    'Lets the set go live that is held back, as `vitrine publish` does, if this is its version, or at least its first 6 digits. A body is ignored. The token has to come as `Authorization: Bearer`; a cookie does not count.',
  params: VersionQuery,
  errors: [...always, 'INVALID_PARAMETER', 'NOTHING_HELD', 'NOT_HELD'],
} satisfies RouteSchema;

/** What is controlled: the state directory, which this process has locked, and the catalogs. */
interface ControlOptions {
  stateDir: string;
  catalogDir: string;
  catalog: Pick<LiveCatalog, 'status'>;
  isWhole(entry: Entry): Promise<boolean>;
  onDamage: OnDamage;
}

/** What changes what is served, by files that the service watches: it follows within a second. */
export const controlRoutes: FastifyPluginCallbackTypebox<ControlOptions> = (app, options, done) => {
  const { catalog, isWhole, onDamage } = options;
  ignoreBodies(app);
  let last: Promise<unknown> = Promise.resolve();
  /** Acts once all earlier requests have, since they write the same files. */
  const act = async (action: Action, request: FastifyRequest, write: () => Promise<string | undefined>) => {
    const acting = last.then(write);
    last = acting.catch(() => {});
    const version = await acting.catch(error => {
      throw refusalOf(error, request);
    });
    const client = clientOf(request.ips ?? [request.ip]);
    request.log.info({ client, version }, `${action} requested through the history`);
    return success({ action, version: version ?? null } satisfies Control);
  };
  app.addHook('onSend', (_request, reply, payload, next) => {
    reply.header('cache-control', 'no-store');
    next(null, payload);
  });
  app.post(`${HISTORY_PATH}/:version/pin`, { schema: pinSchema }, request =>
    act('pin', request, () => pinVersion(options, request.params.version, isWhole, onDamage)),
  );
  app.post(`${HISTORY_PATH}/unpin`, { schema: unpinSchema }, request =>
    act('unpin', request, () => unpinVersion(options)),
  );
  app.post(`${HISTORY_PATH}/:version/publish`, { schema: publishSchema }, request =>
    act('publish', request, () =>
      publishHeld(options, request.params.version, catalog.status().held?.version),
    ),
  );
  done();
};

/** Has an instance answer without reading what a client sends as a body. */
function ignoreBodies(app: Parameters<typeof controlRoutes>[0]): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, _payload, done) => done(null));
}
