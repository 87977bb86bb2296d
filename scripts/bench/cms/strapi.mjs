// Strapi over SQLite, without its pages: its REST API on public routes. DATABASE_DIR names an empty directory.
import { mkdirSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { logListening } from '../servers/listening.mjs';
import { readRows } from '../servers/rows.mjs';

// As CommonJS: its ES modules import folders, which Node rejects.
const { createStrapi, factories } = createRequire(import.meta.url)('@strapi/strapi');

/** How many rows a statement inserts. */
const CHUNK = 100;
/** The usual middlewares, without logging and sessions. */
const MIDDLEWARES = ['errors', 'security', 'cors', 'query', 'body', 'favicon', 'public'];

const dir = process.env.DATABASE_DIR;
writeFileSync(join(dir, 'package.json'), '{}');
mkdirSync(join(dir, 'public/uploads'), { recursive: true });
const strapi = createStrapi({ appDir: dir, distDir: dir, serveAdminPanel: false });
strapi.log.level = 'error';
strapi.config.set(
  'middlewares',
  MIDDLEWARES.map(name => `strapi::${name}`),
);
strapi.config.set('database', {
  connection: { client: 'sqlite', connection: { filename: join(dir, 'strapi.db') }, useNullAsDefault: true },
});
for (const secret of ['auth.secret', 'apiToken.salt', 'transfer.token.salt']) {
  strapi.config.set(`admin.${secret}`, 'bench');
}
addCollection('price', 'prices', {
  ...ofType('integer', ['product_id', 'rel_id', 'duration_id']),
  ...ofType('decimal', ['price']),
});
addCollection('news-item', 'news', {
  ...ofType('integer', ['type_id', 'read', 'create_time', 'update_time']),
  ...ofType('text', ['title', 'content', 'keywords']),
});
await strapi.load();

const { connection } = strapi.db;
for (const table of ['prices', 'news']) {
  // Its addresses have document ids in place of ids.
  const rows = readRows(table).map(row => ({
    ...row,
    document_id: String(row.id),
    published_at: Date.now(),
  }));
  await connection.batchInsert(table, rows, CHUNK);
}
await connection.schema.table('prices', table => table.index(['rel_id', 'duration_id', 'product_id']));
await connection.schema.table('news', table => table.index(['create_time']));
await connection.raw('ANALYZE');
strapi.server.listen(0, '127.0.0.1', () => logListening(strapi.server.httpServer));

/** Adds a collection that everybody may read. */
function addCollection(singularName, pluralName, attributes) {
  const uid = `api::${singularName}.${singularName}`;
  const schema = {
    kind: 'collectionType',
    collectionName: pluralName,
    info: { singularName, pluralName, displayName: pluralName },
    options: { draftAndPublish: false },
    attributes,
  };
  const everybody = { auth: false };
  const config = { find: everybody, findOne: everybody };
  strapi.get('apis').add(singularName, {
    contentTypes: { [singularName]: { schema } },
    controllers: { [singularName]: factories.createCoreController(uid) },
    services: { [singularName]: factories.createCoreService(uid) },
    routes: { [singularName]: factories.createCoreRouter(uid, { only: Object.keys(config), config }) },
  });
}

function ofType(type, names) {
  return Object.fromEntries(names.map(name => [name, { type }]));
}
