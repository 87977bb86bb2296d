// Payload over SQLite, without its pages: its REST API behind node:http. DATABASE_DIR names an empty directory.
import { createServer } from 'node:http';
import { join } from 'node:path';
import { sqliteAdapter } from '@payloadcms/db-sqlite';
import { pushDevSchema } from '@payloadcms/drizzle';
import { buildConfig, getPayload, handleEndpoints } from 'payload';
import { logListening } from '../servers/listening.mjs';
import { readRows } from '../servers/rows.mjs';

/** How many rows a statement inserts. */
const CHUNK = 1000;

const prices = collection('prices', {
  fields: ofType('number', ['product_id', 'rel_id', 'duration_id', 'price']),
  index: ['rel_id', 'duration_id', 'product_id'],
});
const news = collection('news', {
  fields: [
    ...ofType('number', ['type_id', 'read', 'create_time', 'update_time']),
    ...ofType('textarea', ['title', 'content', 'keywords']),
  ],
  index: ['create_time'],
});
const config = await buildConfig({
  secret: 'bench',
  telemetry: false,
  graphQL: { disable: true },
  logger: { options: { level: 'error' } },
  typescript: { autoGenerate: false },
  db: sqliteAdapter({ client: { url: `file:${join(process.env.DATABASE_DIR, 'payload.db')}` } }),
  collections: [prices, news],
});

const { db } = await getPayload({ config });
// It makes tables by itself only in development.
await pushDevSchema(db);
for (const { slug } of [prices, news]) {
  const rows = readRows(slug);
  for (let start = 0; start < rows.length; start += CHUNK) {
    await db.drizzle.insert(db.tables[slug]).values(rows.slice(start, start + CHUNK));
  }
}
await db.client.execute('ANALYZE');

const server = createServer(async ({ url, headers }, response) => {
  const request = new Request(`http://127.0.0.1${url}`, { headers });
  const answer = await handleEndpoints({ config, request });
  const body = Buffer.from(await answer.arrayBuffer());
  response.writeHead(answer.status, { ...Object.fromEntries(answer.headers), 'content-length': body.length });
  response.end(body);
});
server.listen(0, '127.0.0.1', () => logListening(server));

/** A collection that everybody may read, with one index. */
function collection(slug, { fields, index }) {
  const access = { read: () => true };
  return { slug, fields, access, indexes: [{ fields: index }], timestamps: false, lockDocuments: false };
}

function ofType(type, names) {
  return names.map(name => ({ name, type }));
}
