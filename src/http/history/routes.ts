import type { FastifyPluginCallback } from 'fastify';
import { openHistoryReader } from '../../live/history-reader.ts';
import type { LiveCatalog } from '../../live/live.ts';
import { printable } from '../../messages.ts';
import type { CatalogSource } from '../../reader/load-set.ts';
import { sendRepresentations } from '../response/route-schema.ts';
import { requireToken } from './access.ts';
import { comparisonRoute } from './comparison.ts';
import { controlRoutes } from './control.ts';
import { versionsRoute } from './versions.ts';

/** What the history needs. */
export interface HistoryOptions {
  catalog: LiveCatalog;
  source: CatalogSource;
  previewToken: string;
}

/** The history for those who have the token: what was served, what changed, and what is to be served. */
export const historyRoutes: FastifyPluginCallback<HistoryOptions> = (
  app,
  { catalog, source, previewToken },
  done,
) => {
  const onDamage = (sentence: string) => app.log.warn(printable(sentence));
  const reader = openHistoryReader(source, onDamage);
  const { stateDir, catalogDir } = source;
  requireToken(app, previewToken);
  app.addHook('preClose', async () => reader.close());
  app.register((lists, _options, next) => {
    sendRepresentations(lists);
    lists.register(versionsRoute, { catalog, stateDir, onDamage });
    lists.register(comparisonRoute, { catalog, stateDir, reader, onDamage });
    next();
  });
  app.register(controlRoutes, { stateDir, catalogDir, catalog, reader, onDamage });
  done();
};
