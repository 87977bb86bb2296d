import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { problems } from '../src/catalog/problems.ts';
import { catalogNames, catalogs, columnsOf } from '../src/catalog/schemas.ts';
import { errors } from '../src/errors.ts';
import { environmentName, flagName, settingNames, settings } from '../src/settings.ts';
import { startService } from './service.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');
const DATA = fileURLToPath(new URL('../data', import.meta.url));

/** The rows of the table under a line of headers, as they stand in the README. */
function tableUnder(headers: string): string[] {
  const lines = README.split('\n');
  const start = lines.indexOf(headers);
  assert.notEqual(start, -1, `no table ${headers}`);
  const rows = lines.slice(start + 2);
  return rows.slice(
    0,
    rows.findIndex(line => !line.startsWith('|')),
  );
}

test('the table of settings is that of the code', () => {
  assert.deepEqual(
    tableUnder('| variable | flag | default | meaning |'),
    settingNames.map(name => {
      const { default: fallback, meaning } = settings[name];
      return `| \`${environmentName(name)}\` | \`--${flagName(name)}\` | ${fallback ? `\`${fallback}\`` : 'none'} | ${meaning} |`;
    }),
  );
});

test('the table of errors is that of the code', () => {
  assert.deepEqual(
    tableUnder('| error | status | message |'),
    Object.entries(errors).map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`),
  );
});

test('the table of problems is that of the code', () => {
  assert.deepEqual(
    tableUnder('| code | severity | meaning |'),
    Object.entries(problems).map(
      ([code, { severity, meaning }]) => `| \`${code}\` | ${severity} | ${meaning} |`,
    ),
  );
});

test('the table of catalogs is that of the schemas', () => {
  const optional = (required: boolean) => (required ? '' : '?');
  assert.deepEqual(
    tableUnder('| catalog | columns |'),
    catalogNames.map(name => {
      const columns = columnsOf(name).map(column => `\`${column.name}\`${optional(column.required)}`);
      return `| \`${name}\`${optional(catalogs[name].required)} | ${columns.join(', ')} |`;
    }),
  );
});

test('every curl in it answers what stands under it', async t => {
  const { ask } = await startService(
    t,
    {},
    { catalogDir: join(DATA, 'catalog'), imagesDir: join(DATA, 'images') },
  );
  const shown = [...README.matchAll(/\$ curl -s 'http:\/\/127\.0\.0\.1:3000([^']+)' \| jq\n(.*?)\n```/gs)];
  assert.equal(shown.length, 5);
  for (const [, url = '', answer] of shown) {
    assert.equal(answer, JSON.stringify((await ask(url)).body, null, 2), url);
  }
});
