import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { cp, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { loadCatalog } from '../src/catalog/load.ts';
import { problems } from '../src/catalog/problems.ts';
import { formatReport } from '../src/catalog/report.ts';
import { catalogNames, catalogs, columnsOf } from '../src/catalog/schemas.ts';
import { errors } from '../src/errors.ts';
import { environmentName, flagName, settingNames, settings, settingsFrom } from '../src/settings.ts';
import { sample, writeFiles } from './catalogs.ts';
import { startService } from './service.ts';

const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

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

/** What stands under a command. */
function printedUnder(command: string): string | undefined {
  const [, printed] = README.split(`\n$ ${command}\n`);
  return printed?.split('\n```')[0];
}

test('the figures of performance are those of the last run of the bench', async () => {
  const figures = await readFile(new URL('../scripts/bench/results.md', import.meta.url), 'utf8');
  assert.ok(README.includes(figures), 'scripts/bench/results.md has other figures');
});

test('every curl in it answers what stands under it', async t => {
  const { ask } = await startService(t, {}, sample);
  const shown = [...README.matchAll(/\$ curl -s 'http:\/\/127\.0\.0\.1:3000([^']+)' \| jq\n(.*?)\n```/gs)];
  assert.equal(shown.length, 5);
  for (const [, url = '', answer] of shown) {
    assert.equal(answer, JSON.stringify((await ask(url)).body, null, 2), url);
  }
  const { status, catalogs, last_attempt } = (await ask('/health')).data;
  const health = [status, catalogs.files[1], last_attempt.outcome].map(value => JSON.stringify(value));
  const filter = '.data | .status, .catalogs.files[1], .last_attempt.outcome';
  assert.equal(printedUnder(`curl -s 'http://127.0.0.1:3000/health' | jq -c '${filter}'`), health.join('\n'));
});

test('a check of the sample catalogs, spoiled as it says, tells what stands there', async t => {
  const dir = await writeFiles(t, {});
  const spoiled = { catalogDir: join(dir, 'catalog'), imagesDir: join(dir, 'images') };
  await cp(sample.catalogDir, spoiled.catalogDir, { recursive: true });
  const isKept = (path: string) => !path.endsWith('data-centre-hall.webp');
  await cp(sample.imagesDir, spoiled.imagesDir, { recursive: true, filter: isKept });
  const prices = join(spoiled.catalogDir, 'prices.csv');
  const lines = (await readFile(prices, 'utf8')).split('\n');
  lines[16] = String(lines[16]).replace(/[^,]+$/, '"12,5"');
  lines[22] = String(lines[22]).replace(/^(\d+,\d+),\d+/, '$1,99');
  await writeFile(prices, lines.join('\n'));
  const { report } = await loadCatalog(settingsFrom(spoiled));
  assert.equal(printedUnder('vitrine check catalog --images-dir images'), formatReport(report));
});
