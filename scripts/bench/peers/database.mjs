import Database from 'better-sqlite3';
import { readRows } from '../servers/rows.mjs';

/** The catalog in an SQLite database in memory, with an index for each query. */
export function openDatabase() {
  const database = new Database(':memory:');
  database.exec(`
    CREATE TABLE configurations (id INTEGER PRIMARY KEY, product_id, name, cpu, memory, "order");
    CREATE TABLE durations (id INTEGER PRIMARY KEY, name, num, unit);
    CREATE TABLE prices (id INTEGER PRIMARY KEY, product_id, rel_id, duration_id, price);
    CREATE TABLE news (id INTEGER PRIMARY KEY, type_id, title, content, keywords, read, create_time, update_time);
  `);
  for (const table of ['configurations', 'durations', 'prices', 'news']) fill(database, table);
  database.exec(`
    CREATE INDEX configurations_of ON configurations (product_id, "order", id);
    CREATE UNIQUE INDEX price_of ON prices (rel_id, duration_id, product_id);
    CREATE INDEX newest ON news (create_time DESC, id DESC);
    ANALYZE;
  `);
  return database;
}

function fill(database, table) {
  const rows = readRows(table);
  const columns = Object.keys(rows[0]);
  const values = columns.map(column => `@${column}`);
  const quoted = columns.map(column => `"${column}"`);
  const insert = database.prepare(`INSERT INTO ${table} (${quoted}) VALUES (${values})`);
  database.transaction(() => {
    for (const row of rows) insert.run(row);
  })();
}
