// json-server over what would be its db.json. A price has the name of its configuration's id under which json-server
// looks for what belongs to a row.
import jsonServer from 'json-server';
import { tellListening } from '../servers/listening.mjs';
import { readRows } from '../servers/rows.mjs';

const names = ['products', 'configurations', 'durations', 'prices', 'news_types', 'news'];
const database = Object.fromEntries(names.map(name => [name, readRows(name)]));
for (const price of database.prices) price.configuration_id = price.rel_id;

const app = jsonServer.create();
app.use(jsonServer.defaults({ logger: false }));
app.use(jsonServer.router(database, { foreignKeySuffix: '_id' }));
const server = app.listen(0, '127.0.0.1', () => tellListening(server));
