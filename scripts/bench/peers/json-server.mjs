// json-server over the rows. It joins by `configuration_id`, so prices get that column.
import jsonServer from 'json-server';
import { logListening, readPrepared } from '../servers/prepared.mjs';

const database = readPrepared();
for (const price of database.prices) price.configuration_id = price.rel_id;

const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false }));
app.use(jsonServer.router(database, { foreignKeySuffix: '_id' }));
const server = app.listen(0, '127.0.0.1', () => logListening(server));
