import assert from 'node:assert/strict';
import { test } from 'node:test';
import { catalogNames, catalogs, columnsOf } from '../../src/contract/columns.ts';
import { problems } from '../../src/contract/problems.ts';
import { errors } from '../../src/errors.ts';
import { promptOf } from '../../src/formats/write/validations.ts';
import { holdRules } from '../../src/set/hold-back/hold-back.ts';
import { environmentName, flagName } from '../../src/settings/read.ts';
import { settingNames, settings } from '../../src/settings/settings.ts';
import { isLinux } from '../support/children.ts';
import { tableRows } from '../support/manual.ts';
import { startService } from '../support/service.ts';
import { converse } from '../support/wire.ts';

const SETTINGS = '| variable | flag | default | meaning |';
const settingRows = settingNames.map(name => {
  const { default: fallback, description } = settings[name];
  return `| \`${environmentName(name)}\` | \`--${flagName(name)}\` | ${fallback ? `\`${fallback}\`` : 'none'} | ${description} |`;
});

test('the guide for operators lists every setting as the code defines it', () => {
  assert.deepEqual(tableRows('scripts/deploy/README.md', SETTINGS), settingRows);
});

test('the README repeats ten of the settings', () => {
  const rows = tableRows('README.md', SETTINGS);
  assert.equal(rows.length, 10);
  for (const row of rows) assert.ok(settingRows.includes(row), row);
});

test('the manual lists every error with its status and message', () => {
  assert.deepEqual(
    tableRows('src/http/README.md', '| error | status | message |'),
    Object.entries(errors).map(([code, { status, message }]) => `| \`${code}\` | ${status} | ${message} |`),
  );
});

test('the guide for editors lists every problem code with its meaning and what to do', () => {
  const rows = tableRows('data/README.md', '| code | severity | meaning | what to do |');
  assert.deepEqual(
    rows.map(row => row.replace(/[^|]+\|$/, '')),
    Object.entries(problems).map(
      ([code, { severity, meaning }]) => `| \`${code}\` | ${severity} | ${meaning} |`,
    ),
  );
  for (const row of rows) assert.match(row, /\| [^|]{5,} \|$/);
});

test('the guide for editors lists every rule by which a change is held back', () => {
  assert.deepEqual(
    tableRows('data/README.md', '| rule | applies if |'),
    Object.entries(holdRules).map(([code, { meaning }]) => `| \`${code}\` | ${meaning} |`),
  );
});

test('README and the guide for editors list the columns of every catalog', () => {
  const optional = (required: boolean) => (required ? '' : '?');
  const rows = catalogNames.map(name => {
    const columns = columnsOf(name).map(column => `\`${column.name}\`${optional(column.required)}`);
    return `| \`${name}\`${optional(catalogs[name].neededBy.length > 0)} | ${columns.join(', ')} |`;
  });
  assert.deepEqual(tableRows('README.md', '| catalog | columns |'), rows);
});

test('the guide for editors and the cells of a template say the same of every column', () => {
  let last = '';
  const guide = tableRows('data/README.md', '| catalog | column | what to write |').map(row => {
    const [, catalog = '', column = '', text = ''] = row.replaceAll('`', '').split(/ ?\| /);
    last = catalog.trim() || last;
    return [last, column, text.replace(/ \|$/, '')].join(': ');
  });
  const columns = catalogNames.flatMap(name =>
    columnsOf(name).map(column =>
      [column.name === 'id' ? 'all' : name, column.name, promptOf(name, column)].join(': '),
    ),
  );
  assert.deepEqual(
    guide,
    [...new Set(columns)].sort((a, b) => Number(b.startsWith('all')) - Number(a.startsWith('all'))),
  );
  const tooLong = columns.filter(text => text.length > 255);
  assert.deepEqual(tooLong, []);
});

test('the guide for operators lists every metric with the type, labels and help that /metrics has', {
  skip: !isLinux && 'two metrics exist on Linux only',
}, async t => {
  const { dispatch, listen } = await startService(t);
  await converse(await listen(), Buffer.from('RUBBISH\r\n\r\n'));
  await dispatch('/api/news');
  const blocks = (await dispatch('/metrics')).body.trim().split('\n\n');
  const rows = blocks.map(block => {
    const [, name, help, type] = /^# HELP (\S+) (.*)\n# TYPE \S+ (\w+)/.exec(block) ?? assert.fail(block);
    const labels = new Set(Array.from(block.matchAll(/[{,](\w+)="/g), ([, label]) => label));
    if (type === 'histogram') labels.delete('le');
    return `| \`${name}\` | ${type} | ${Array.from(labels, label => `\`${label}\``).join(', ')} | ${help} |`;
  });
  assert.deepEqual(
    tableRows('scripts/deploy/README.md', '| metric | type | labels | meaning |').toSorted(),
    rows.toSorted(),
  );
});
